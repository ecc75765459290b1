# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""libgsvd.torch: gradients against finite differences, torch.compile, torch.export, torch.vmap."""
import subprocess
import sys

import numpy as np
import pytest
from conftest import close, random, same

import libgsvd

torch = pytest.importorskip("torch", reason="no PyTorch here")
import libgsvd.torch as lt  # noqa: E402

# PyTorch's own, of its forward derivatives
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated")

# each of m, n, p: tall, square, wide; one infinite value, one that is 0, both
SHAPES = [(6, 4, 5), (4, 4, 4), (7, 3, 2), (3, 4, 5), (3, 4, 3), (5, 1, 1)]
WIDE = [(2, 6, 7), (7, 6, 2), (4, 6, 3)]  # of more than one
REAL_COMPLEX = pytest.mark.parametrize("dtype", [np.float64, np.complex128], ids="dD")


def tensor(seed, *shape, dtype=np.float64, grad=True):
    return torch.tensor(random(seed, *shape, dtype=dtype), requires_grad=grad)


def weights(seed, like):
    return torch.tensor(random(seed, *like.shape, dtype=str(like.dtype).removeprefix("torch.")))


def check(f, inputs):
    return torch.autograd.gradcheck(f, inputs, fast_mode=True, check_forward_ad=True)


def check_twice(f, inputs):
    return torch.autograd.gradgradcheck(f, inputs, fast_mode=True)


def products(*factors):
    """x_k y_k^H of all pairs of factors, which no phase changes"""
    out = []
    for i, x in enumerate(factors):
        for y in factors[i:]:
            z = torch.einsum("...ik,...jk->...ijk", x, y.conj())
            out.append(z)
    return tuple(out)


def of_gsvd(A, B):
    r = lt.gsvd(A, B)
    n = A.shape[-1]
    q, p = r.U.shape[-1], r.V.shape[-1]
    first = n - p  # V's columns belong to the last of X
    out = products(r.X) + products(r.U, r.X[..., :q]) + products(r.V, r.X[..., first:])
    return (*out, r.alpha, r.beta)


@REAL_COMPLEX
@pytest.mark.parametrize("lead", [(), (2,)])
@pytest.mark.parametrize("m, n, p", SHAPES)
def test_gsvd_gradient(dtype, m, n, p, lead):
    A, B = tensor(1, *lead, m, n, dtype=dtype), tensor(2, *lead, p, n, dtype=dtype)
    assert check(of_gsvd, (A, B))
    assert check(lambda A, B: lt.gsvdvals(A, B), (A, B))


@REAL_COMPLEX
@pytest.mark.parametrize("m, n, p", WIDE)
def test_gsvd_of_equal_values(dtype, m, n, p):
    """Infinite values, and those that are 0, that are many: sums over their vectors have a
    gradient, one vector has none."""
    A, B = tensor(1, m, n, dtype=dtype), tensor(2, p, n, dtype=dtype)
    k, q = max(n - p, 0), min(m, n)

    def sums(A, B):
        r = lt.gsvd(A, B)
        zero = r.X[:, q:] @ r.X[:, q:].mH
        infinite = r.X[:, :k] @ r.X[:, :k].mH
        cross = r.U[:, :k] @ r.X[:, :k].mH
        middle = products(r.X[:, k:q], r.U[:, k:q])
        return (zero, infinite, cross, *middle, r.alpha, r.beta)

    assert check(sums, (A, B))
    with pytest.raises(libgsvd.LinAlgError, match="equal values"):
        x = lt.gsvd(A, B).X[:, 0 if k > 1 else -1]
        (torch.outer(x, x.conj()) * weights(3, torch.outer(x, x))).abs().sum().backward()


@REAL_COMPLEX
@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (4, 4), (2, 4, 3), (1, 3)])
def test_svd_gradient(dtype, shape):
    A = tensor(3, *shape, dtype=dtype)

    def factors(A):
        r = lt.svd(A)
        return (*products(r.U, r.Vh.mH), r.S)

    assert check(factors, (A,))
    assert check(lt.svdvals, (A,))
    assert check_twice(lt.svdvals, (A,))
    assert check_twice(lambda A: factors(A)[1], (A,))
    small = A.detach()
    theirs = torch.linalg.svd(small.requires_grad_(), full_matrices=False)
    ours = lt.svd(small)
    w = weights(4, theirs.U @ theirs.Vh)
    want, = torch.autograd.grad(((theirs.U @ theirs.Vh) * w).real.sum(), small)
    got, = torch.autograd.grad(((ours.U @ ours.Vh) * w).real.sum(), small)
    assert (got - want).abs().max() < 1e-11 * want.abs().max()


@REAL_COMPLEX
@pytest.mark.parametrize("uplo", "LU")
@pytest.mark.parametrize("shape", [(4, 4), (2, 3, 3), (1, 1)])
def test_eigh_gradient(dtype, shape, uplo):
    A = tensor(5, *shape, dtype=dtype)

    def factors(A):
        w, Q = lt.eigh(A + A.mH, uplo=uplo)
        return (*products(Q), w)

    assert check(factors, (A,))
    assert check_twice(factors, (A,))


def signed(n):
    return [(1, -1, -1, 1)[i] for i in range(n)]


@REAL_COMPLEX
@pytest.mark.parametrize("shape", [(5, 3), (4, 4), (2, 4, 3), (3, 1)])
def test_hsvd_gradient(dtype, shape):
    G = tensor(6, *shape, dtype=dtype)

    def factors(G):
        r = lt.hsvd(G, signed(shape[-1]))
        return (*products(r.U, r.V), r.S, r.eigenvalues)

    assert check(factors, (G,))
    assert check_twice(factors, (G,))


@REAL_COMPLEX
@pytest.mark.parametrize("routine", ["qr", "geqp", "urv"])
@pytest.mark.parametrize("shape", [(5, 3), (3, 5), (2, 4, 4), (1, 3), (3, 1)])
def test_qr_gradient(dtype, shape, routine):
    A = tensor(7, *shape, dtype=dtype)

    def factors(A):
        r = getattr(lt, routine)(A)
        return (r.U, r.R, r.Vh) if routine == "urv" else (r.Q, r.R)

    assert check(factors, (A,))
    assert check_twice(factors, (A,))


def test_func():
    A, d = tensor(1, 5, 3, grad=False), tensor(2, 5, 3, grad=False)
    func = torch.func

    def f(A):
        return lt.svd(A).S.prod() + lt.svdvals(A)[0] + lt.qr(A).R[0, 2] ** 2 + lt.urv(A.mT).Vh[0, 0] ** 2

    g = func.grad(f)(A)
    a = A.clone().requires_grad_()
    f(a).backward()
    close(g.numpy(), a.grad.numpy())
    close(func.jvp(f, (A,), (d,))[1].numpy()[None, None], (g * d).sum().numpy()[None, None])
    H = func.hessian(f)(A)
    assert (H - func.jacrev(func.grad(f))(A)).abs().max() < 1e-12
    assert (H - func.jacrev(func.jacfwd(f))(A)).abs().max() < 1e-12
    each = torch.vmap(func.grad(f))(torch.stack([A, d]))
    close(each[0].numpy(), g.numpy())
    with pytest.raises(NotImplementedError, match="forward derivatives of"):
        func.jacfwd(func.jacfwd(f))(A)
    with pytest.raises(Exception, match="forward derivatives in"):
        torch.compile(lambda A, d: func.jvp(f, (A,), (d,)), fullgraph=True, backend="aot_eager")(A, d)
    ops = torch.ops.libgsvd
    for g in (lambda A: ops.qr(A)[1], lambda A: ops.gsvdvals(A, A, "norm", "auto")[0]):
        with pytest.raises(NotImplementedError, match=r"functions of libgsvd\.torch"):
            func.jvp(g, (A,), (d,))
    assert not func.jvp(lambda B: ops.svdvals(A, "auto").sum() * B, (A,), (d,))[1].sub(
        d * lt.svdvals(A).sum()).any()


def test_no_forward_derivative():
    A = torch.diag(torch.tensor([3.0, 2, 2]))
    d = tensor(1, 3, 3, grad=False).float()
    U, S, Vh = torch.func.jvp(lambda A: tuple(lt.svd(A)), (A,), (d,))[1]
    assert U.isnan().all(0).tolist() == [False, True, True]
    assert not S.isnan().any()
    alpha = torch.func.jvp(lambda A: lt.gsvdvals(A, torch.diag(torch.tensor([1.0, 1, 0])))[0],
                           (A,), (d,))[1]
    assert alpha.isnan().all()
    for f in (lambda A: lt.geqp(A).R, lambda A: lt.urv(A).Vh, lambda A: lt.urv(A[:2]).Vh):
        assert torch.func.jvp(f, (torch.ones(3, 3),), (d,))[1].isnan().all()


def test_gsvd_second_derivatives():
    A, B = tensor(1, 4, 3), tensor(2, 3, 3)
    assert check_twice(lambda A, B: lt.gsvdvals(A, B), (A, B))
    assert check_twice(of_gsvd, (A, B))


def test_no_gradient():
    A = torch.eye(3, dtype=torch.float64, requires_grad=True)
    B = torch.eye(3, dtype=torch.float64)
    error = libgsvd.LinAlgError
    with pytest.raises(error, match="equal values"):
        lt.svd(A).U[0, 0].backward()
    with pytest.raises(error, match="equal values"):
        lt.eigh(A).eigenvectors[0, 1].backward()
    with pytest.raises(error, match="equal values"):
        lt.gsvd(A, B).X[0, 1].backward()
    lt.svdvals(A).sum().backward()  # symmetric in the values
    close(A.grad.numpy(), np.eye(3))
    lt.gsvd(A, B).alpha.sum().backward()
    C = torch.complex(tensor(1, 4, 3, grad=False), tensor(2, 4, 3, grad=False)).requires_grad_()
    with pytest.raises(error, match="phases"):
        lt.svd(C).U[0, 0].real.backward()
    with pytest.raises(error, match="phases"):
        lt.eigh(C.mH @ C).eigenvectors[0, 0].real.backward()
    with pytest.raises(error, match="phases"):
        lt.gsvd(C, B).X[0, 0].real.backward()
    with pytest.raises(error, match="ranks"):  # B has rank 2
        lt.gsvdvals(A, torch.diag(torch.tensor([1.0, 2, 0])).double())[0].sum().backward()
    with pytest.raises(error, match="ranks"):  # of fewer rows than columns
        lt.gsvdvals(A[:1], B[:1])[0].sum().backward()
    ones = torch.ones(3, 3, dtype=torch.float64, requires_grad=True)
    for f in (lt.geqp, lambda A: lt.qr(A * 0)):
        with pytest.raises(error, match="rank is less"):
            f(ones).R[0].sum().backward()
    for a in (ones, ones[:2], ones[:, :2]):
        for name in ("U", "R", "Vh"):
            with pytest.raises(error, match="rank is less"):
                getattr(lt.urv(a), name)[0].sum().backward()
    with pytest.raises(error, match="equal values"):
        lt.hsvd(A, n_plus=2).U[0, 0].backward()
    with pytest.raises(error, match="value is 0"):
        lt.svdvals(torch.zeros(2, 2, dtype=torch.float64, requires_grad=True)).sum().backward()
    with pytest.raises(TypeError, match=r"libgsvd\.torch.*detach"):
        libgsvd.gsvd(A, B)
    with pytest.raises(error, match="NaN"):
        lt.svd(A * float("nan"))


def test_values(dtype):
    A, B = random(1, 2, 6, 4, dtype=dtype), random(2, 5, 4, dtype=dtype)
    a, b = torch.tensor(A), torch.tensor(B)
    want = libgsvd.gsvd(A, B)
    got = lt.gsvd(a, b)
    for name in ("U", "V", "X", "alpha", "beta", "k", "l", "C", "S"):
        same(getattr(got, name).numpy(), getattr(want, name))
    same(lt.gsvdvals(a, b)[1].numpy(), libgsvd.gsvdvals(A, B)[1])
    one = lt.gsvd(a[1], b)
    same(one.X.numpy(), want.X[1])
    assert one.k.shape == () and got.k.shape == (2,)
    for x, y in zip(lt.svd(a), libgsvd.svd(A)):
        same(x.numpy(), y)
    same(lt.svdvals(a).numpy(), libgsvd.svdvals(A))
    for x, y in zip(lt.hsvd(a, [-1, 1, 1, -1]), libgsvd.hsvd(A[..., [1, 2, 0, 3]], n_plus=2)):
        same(x.numpy(), y[..., [2, 0, 1, 3], :] if y.shape[-2:] == (4, 4) else y)
    assert repr(lt.hsvd(a, n_plus=1)) == repr(libgsvd.hsvd(A, n_plus=1))
    for x, y in zip(lt.qr(a), libgsvd.qr(A)):
        same(x.numpy(), y)
    for tol in (None, 2.0):
        for x, y in zip(lt.geqp(a, tol=tol), libgsvd.geqp(A, tol=tol)):
            same(x.numpy(), y)
        same(lt.geqp(a, tol=tol).rank.numpy(), libgsvd.geqp(A, tol=tol).rank)
        for x, y in zip(lt.urv(a, tol=tol), libgsvd.urv(A, tol=tol)):
            same(x.numpy(), y)
        same(lt.urv(a, tol=tol).rank.numpy(), libgsvd.urv(A, tol=tol).rank)
    H = A.conj().swapaxes(-1, -2) @ A
    for x, y in zip(lt.eigh(torch.tensor(H), uplo="U"), libgsvd.eigh(H, uplo="U")):
        same(x.numpy(), y)


def test_arguments():
    A = torch.ones(3, 2)
    with pytest.raises(ValueError, match="columns"):
        lt.gsvd(A, A.T)
    with pytest.raises(ValueError, match="not square"):
        lt.eigh(A)
    with pytest.raises(ValueError, match="J: not 2 numbers"):
        lt.hsvd(A, [[1, 1], [1, -1], [1, 1]])
    with pytest.raises(ValueError, match="independent"):
        lt.hsvd(A.T)
    with pytest.raises(ValueError, match="tol"):
        lt.geqp(A, tol=-1.0)
    with pytest.raises(ValueError, match="1 dim"):
        lt.svd(A[0])
    with pytest.raises(TypeError, match="computes in"):
        lt.svd(A.half())
    assert lt.svdvals(A.long()).dtype == torch.float64
    assert lt.gsvd(A.double(), A).X.dtype == torch.float64


@REAL_COMPLEX
@pytest.mark.parametrize("lead", [(), (2, 3), (0,)])
def test_operators(dtype, lead):
    """What PyTorch checks of an operator: fake tensors, strides, aliases, autograd, compilation"""
    A, B = tensor(1, *lead, 5, 3, dtype=dtype), tensor(2, *lead, 4, 3, dtype=dtype)
    ops = torch.ops.libgsvd
    for op, arguments in ((ops.gsvd, (A, B, "norm", "auto")), (ops.svd, (A, "auto")),
                          (ops.eigh, (A.mH @ A, "L", "auto")), (ops.hsvd, (A, 2)),
                          (ops.qr, (A,)), (ops.geqp, (A, None)), (ops.urv, (A, None, True)),
                          (ops.gsvdvals, (A.detach(), B.detach(), "norm", "auto")),
                          (ops.svdvals, (A.detach(), "auto"))):
        # gradients of factors that depend on phases are refused: of the values alone
        tests = ["test_schema", "test_faketensor"]
        torch.library.opcheck(op, arguments, test_utils=tests)
        torch.library.opcheck(op, tuple(x.mT.contiguous().mT if isinstance(x, torch.Tensor) else x
                                        for x in arguments), test_utils=tests)


def loss(A, B):
    r = lt.gsvd(A, B)
    x = (r.U[..., :2] * r.alpha[..., None, :2]) @ r.X.mT[..., :2, :]
    return (x ** 2).sum() + r.values.sum() + lt.svdvals(A).prod() + lt.qr(A).R.sum() + lt.urv(B.mT).Vh.sum() + (lt.eigh(A.mT @ A).eigenvectors**4).sum()


@pytest.mark.filterwarnings("ignore:Guards may run slower on Python")  # PyTorch's, of 3.13.0
def test_compile():
    A, B = tensor(1, 5, 3), tensor(2, 4, 3)
    loss(A, B).backward()
    want, A.grad = A.grad, None
    f = torch.compile(loss, fullgraph=True, backend="aot_eager")
    value = f(A, B)
    assert abs(value - loss(A, B)) < 1e-12 * abs(value)
    value.backward()
    assert (A.grad - want).abs().max() < 1e-11 * want.abs().max()
    r = torch.compile(lt.gsvd, fullgraph=True)(A.detach(), B.detach())  # no code but the operator
    same(r.X.numpy(), lt.gsvd(A, B).X.detach().numpy())
    assert r.shape == (5, 3, 4)
    one = torch.eye(3, dtype=torch.float64, requires_grad=True)
    with pytest.raises(libgsvd.LinAlgError, match="equal values"):
        torch.compile(lambda A: lt.svd(A).U[0, 0], backend="aot_eager")(one).backward()


def test_export():
    class Model(torch.nn.Module):
        def forward(self, A, B):
            r = lt.gsvd(A, B)
            return r, lt.svdvals(A)

    A, B = tensor(1, 5, 3, grad=False), tensor(2, 4, 3, grad=False)
    program = torch.export.export(Model(), (A, B))
    assert "libgsvd.gsvd" in str(program.graph)
    r, S = program.module()(A, B)
    same(r.X.numpy(), lt.gsvd(A, B).X.numpy())
    same(S.numpy(), lt.svdvals(A).numpy())


def test_vmap():
    A, B = tensor(1, 3, 5, 4, grad=False), tensor(2, 5, 4, grad=False)
    want = lt.gsvd(A, B)
    for got in (torch.vmap(lambda a: lt.gsvd(a, B).alpha)(A),
                torch.vmap(lambda a: lt.gsvd(a, B).alpha, in_dims=1)(A.movedim(0, 1))):
        same(got.numpy(), want.alpha.numpy())


def test_import_is_lazy():
    text = "import sys, libgsvd; print('torch' in sys.modules, 'jax' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", text], capture_output=True, text=True, timeout=60)
    assert done.stdout == "False False\n"
