# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""libgsvd.jax: jax.jit, jax.vmap, gradients against finite differences."""
import numpy as np
import pytest
from conftest import adjoint, close, orthonormal, random, same

import libgsvd

jax = pytest.importorskip("jax", reason="no JAX here")
import jax.numpy as jnp  # noqa: E402

import libgsvd.jax as lj  # noqa: E402


@pytest.fixture(autouse=True)
def double():
    with jax.enable_x64(True):
        yield


def products(*factors):
    """x_k y_k^H of all pairs of factors, which no phase changes"""
    return [jnp.einsum("...ik,...jk->...ijk", x, y.conj())
            for i, x in enumerate(factors) for y in factors[i:]]


def of_gsvd(A, B):
    r = lj.gsvd(A, B)
    q, first = r.U.shape[-1], A.shape[-1] - r.V.shape[-1]
    return [*products(r.X), *products(r.U, r.X[..., :q]), *products(r.V, r.X[..., first:]),
            r.alpha, r.beta]


def of_one(A, B):
    r = lj.svd(A)
    G = A if A.shape[-2] >= A.shape[-1] else A.mT
    w, Q = lj.eigh(G.conj().mT @ G, uplo="U")
    return [*products(r.U, r.Vh.mT.conj()), r.S, *products(Q), w]


def of_values(A, B):
    return [*lj.gsvdvals(A, B), lj.svdvals(A), lj.svdvals(B)]


def of_qr(A, B):
    r = lj.hsvd(A if A.shape[-2] >= A.shape[-1] else A.mT, n_plus=2)
    return [*lj.qr(A), *lj.qr(B), lj.geqp(A).Q, lj.geqp(B).R, *lj.urv(A), *lj.urv(B), *products(r.U, r.V), r.S]


def loss(f):
    """A real function of what f returns: of each entry, with a weight"""
    def sum_of(A, B):
        return sum((x * random(i, *x.shape, dtype=x.dtype)).real.sum()
                   for i, x in enumerate(f(A, B)))
    return sum_of


def compare(f, x, d, bound):
    """df in the direction d, by both derivatives and by central differences of two steps"""
    @jax.jit
    def derivatives(x, d):
        value, back = jax.vjp(f, *x)
        reverse = sum((g * z).real.sum() for g, z in zip(back(jnp.ones_like(value)), d))
        return reverse, jax.jvp(f, x, d)[1]

    @jax.jit
    def at(steps):
        return jax.lax.map(lambda t: f(*(y + t * z for y, z in zip(x, d))), steps)

    h = np.array([5e-5, 1e-4])
    slope = (at(h) - at(-h)) / (2 * h)
    want = (4 * slope[0] - slope[1]) / 3
    for got in derivatives(x, d):
        assert abs(got - want) <= bound * max(1, abs(want)), (got, want)


@pytest.mark.parametrize("dtype, m, n, p", [(np.float64, 6, 4, 5), (np.complex128, 3, 4, 3)],
                         ids="dD")
def test_gradients(dtype, m, n, p):
    x = random(1, 2, m, n, dtype=dtype), random(2, p, n, dtype=dtype)
    d = random(3, 2, m, n, dtype=dtype), random(4, p, n, dtype=dtype)
    for f in (of_gsvd, of_one, of_values, of_qr):
        compare(loss(f), x, d, 1e-7)


def test_precision_of_derivatives():
    """A GPU would multiply matrices of float32 in TF32."""
    A, B = random(1, 6, 4, dtype=np.float32), random(2, 5, 4, dtype=np.float32)
    text = str(jax.make_jaxpr(jax.grad(lambda A: lj.gsvd(A, B).X.sum()))(A))
    assert text.count("precision=(Precision.HIGHEST") + text.count("precision=Precision.HIGHEST") \
        == text.count("dot_general[") > 0


def test_second_derivatives():
    x, d = (random(1, 4, 3), random(2, 3, 3)), (random(3, 4, 3), random(4, 3, 3))
    f = jax.grad(loss(of_values), (0, 1))

    def slope(A, B):
        return sum((g * z).sum() for g, z in zip(f(A, B), d))

    compare(slope, x, d, 1e-6)


@pytest.mark.parametrize("dtype, lead, m, n, p", [
    (np.float32, (2, 3), 6, 4, 5), (np.float64, (2,), 3, 4, 3), (np.complex64, (), 6, 4, 5),
    (np.complex128, (2, 3), 3, 4, 3), (np.float64, (), 2, 5, 2), (np.complex64, (2,), 0, 3, 4),
    (np.float32, (), 4, 3, 0), (np.float64, (0,), 4, 3, 3), (np.complex128, (), 3, 0, 2)])
def test_jit(dtype, lead, m, n, p):
    A, B = random(1, *lead, m, n, dtype=dtype), random(2, *lead, p, n, dtype=dtype)
    a, b = jnp.asarray(A), jnp.asarray(B)
    want = libgsvd.gsvd(A if lead else A[None], B)
    for f in (lj.gsvd, jax.jit(lj.gsvd)):
        r = f(a, b)
        for name in ("U", "V", "X", "alpha", "beta", "k", "l", "C", "S"):
            x = np.asarray(getattr(r, name))
            same(x if lead else x[None], getattr(want, name))
        same(a, A)
    close(np.asarray(jax.jit(lj.gsvdvals)(a, b)[0])[..., None],
          np.asarray(lj.gsvd(a, b).alpha)[..., None])
    U, S, Vh = map(np.asarray, jax.jit(lj.svd)(a))
    close(U * S[..., None, :] @ Vh, A)
    orthonormal(U)
    close(np.asarray(jax.jit(lj.svdvals)(a))[..., None], S[..., None])
    for f, g in ((lj.qr, libgsvd.qr), (lj.geqp, libgsvd.geqp), (lj.urv, libgsvd.urv)):
        r = jax.jit(f)(a)
        for x, y in zip(r, g(A)):
            same(x, y)
    same(jax.jit(lj.geqp)(a).rank, libgsvd.geqp(A).rank)
    same(jax.jit(lj.urv)(a).rank, libgsvd.urv(A).rank)
    if m >= n:
        r = jax.jit(lambda a: lj.hsvd(a, [-1] * (n // 2) + [1] * (n - n // 2)))(a)
        close(np.asarray(r.U * r.S[..., None, :] @ r.V.conj().mT), A)
        orthonormal(r.U)
        assert r.signs.sum() == n % 2
    H = A @ adjoint(A)
    w, Q = map(np.asarray, jax.jit(lj.eigh)(jnp.asarray(H)))
    close(Q * w[..., None, :] @ adjoint(Q), H)
    orthonormal(Q)


def test_options():
    D = jnp.diag(jnp.array([1.0, 1e-20]))
    assert lj.gsvd(D, 0 * D).k == 1 and lj.gsvd(D, 0 * D, rank="rows").k == 2
    with pytest.raises(ValueError, match="solver"):
        lj.gsvd(D, D, solver="best")


def test_vmap():
    A, B = jnp.asarray(random(1, 3, 5, 4)), jnp.asarray(random(2, 6, 4))
    want = lj.gsvd(A, B)
    for got in (jax.vmap(lj.gsvd, (0, None))(A, B), jax.jit(jax.vmap(lj.gsvd, (0, None)))(A, B),
                jax.vmap(lj.gsvd, (1, None))(A.swapaxes(0, 1), B)):
        same(got.X, want.X)
        same(got.k, want.k)
    text = str(jax.make_jaxpr(jax.vmap(lj.svdvals))(A))
    assert text.count("ffi_call") == 1 and "while" not in text and "scan" not in text
    same(jax.vmap(lj.qr)(A).Q, lj.qr(A).Q)
    g = jax.vmap(jax.grad(lambda a: lj.svdvals(a).sum()))(A)
    assert abs(g - jax.grad(lambda A: lj.svdvals(A).sum())(A)).max() < 1e-13


def test_float32_by_default():
    with jax.enable_x64(False):
        A = jnp.asarray(random(1, 4, 3))
        r = jax.jit(lj.gsvd)(A, jnp.eye(3, dtype=int))
        assert r.X.dtype == jnp.float32 and r.k.dtype == jnp.int32 and r.l == 3
        assert jax.grad(lambda A: lj.svdvals(A).sum())(A).dtype == jnp.float32


def test_errors():
    A = jnp.asarray(random(1, 2, 4, 3))
    for f in (lj.svd, jax.jit(lj.svd)):
        with pytest.raises(Exception, match="problem 1: a matrix has a NaN"):
            jax.block_until_ready(f(A.at[1, 0, 0].set(jnp.nan)))
    with pytest.raises(Exception, match="problem 1: column 2 depends"):
        jax.block_until_ready(lj.hsvd(A.at[1, :, 1].set(A[1, :, 0]), n_plus=1))
    with pytest.raises(ValueError, match="columns"):
        lj.gsvd(A, A[:, :, :2])
    with pytest.raises(ValueError, match="not square"):
        lj.eigh(A)
    with pytest.raises(ValueError, match="1 dim"):
        lj.svd(A[0, 0])
    with pytest.raises(TypeError, match="computes in"):
        lj.svd(A.astype(jnp.float16))
    same(lj.svdvals(A), lj.svdvals(np.asarray(A)))  # the next call is none the worse


def test_no_gradient():
    one = jnp.eye(3)
    with pytest.raises(libgsvd.LinAlgError, match="equal values"):
        jax.grad(lambda A: lj.eigh(A).eigenvectors[0, 1])(one)
    for f in (lambda A: lj.svd(A).U[0, 0], lambda A: lj.eigh(A).eigenvectors[0, 1],
              lambda A: lj.gsvd(A, one).X[0, 1], lambda A: lj.hsvd(A, n_plus=2).U[0, 0],
              lambda A: lj.geqp(A * 0 + 1).R[0].sum(), lambda A: lj.urv(A * 0 + 1).R[0, 0],
              lambda A: lj.urv(jnp.hstack([A * 0 + 1] * 2)).Vh[0, 0]):
        assert jnp.isnan(jax.jit(jax.grad(f))(one)).all()
    close(np.asarray(jax.grad(lambda A: lj.svdvals(A).sum())(one)), np.eye(3))
    with pytest.raises(libgsvd.LinAlgError, match="ranks"):
        jax.grad(lambda A: lj.gsvdvals(A, jnp.diag(jnp.array([1.0, 2, 0])))[0].sum())(one)
    z = jnp.asarray(random(1, 3, 3, dtype=np.complex128))
    with pytest.raises(libgsvd.LinAlgError, match="phases"):
        jax.grad(lambda A: lj.eigh(A + A.conj().T).eigenvectors[0, 0].real)(z)


@jax.jit
def tangents(A, d):
    return jax.jvp(lambda A: (*lj.svd(A), lj.gsvdvals(A[:1], A[:1])[0]), (A,), (d,))[1]


def test_no_forward_derivative():
    A, d = jnp.diag(jnp.array([3.0, 2, 2])), jnp.asarray(random(1, 3, 3))
    U, S, Vh, alpha = tangents(A, d)
    assert jnp.isnan(U).all(0).tolist() == [False, True, True]
    assert not jnp.isnan(S).any()
    assert jnp.isnan(alpha).all()
