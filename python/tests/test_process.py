# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""Errors, results as objects, threads and fork."""
import concurrent.futures
import dataclasses
import inspect
import pickle
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import random, same

import libgsvd

# with threads of OpenBLAS Python warns of fork
PYTHON = [sys.executable, "-W", "ignore::DeprecationWarning"]
A, B = random(1, 100, 80), random(2, 90, 80)
ROUTINES = [libgsvd.gsvd, libgsvd.svd, libgsvd.hsvd, libgsvd.eigh, libgsvd.qr, libgsvd.geqp,
            libgsvd.urv]


def call(routine, a):
    if routine is libgsvd.gsvd:
        return routine(a, np.eye(a.shape[-1]))
    if routine is libgsvd.eigh:
        return routine(a + a.swapaxes(-1, -2))
    return routine(a)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("routine", ROUTINES)
def test_not_finite(routine, bad):
    a = random(3, 4, 4)
    a[2, 1] = a[1, 2] = bad
    with pytest.raises(libgsvd.LinAlgError, match="^[AG]: has a NaN or an infinity") as e:
        call(routine, a)
    assert isinstance(e.value, np.linalg.LinAlgError)
    assert e.value.status == "GSVD_INVALID_ARGUMENT" and e.value.info < 0
    again = pickle.loads(pickle.dumps(e.value))
    assert (str(again), again.status, again.info) == (str(e.value), e.value.status, e.value.info)
    stack = random(4, 2, 3, 4, 4)
    stack[1, 2] = a
    with pytest.raises(libgsvd.LinAlgError, match=r"problem \[1, 2\]: [AG] has a NaN") as e:
        call(routine, stack)
    assert e.value.info < 0
    call(routine, random(3, 4, 4))  # the next call is none the worse


def test_not_finite_b():
    b = random(5, 3, 4, 4)
    b[1, 0, 0] = np.nan
    with pytest.raises(libgsvd.LinAlgError, match=r"problem \[1\]: B has a NaN"):
        libgsvd.gsvd(b[0], b)
    with pytest.raises(libgsvd.LinAlgError, match="^B"):
        libgsvd.gsvd(b[0], b[1])


def test_illegal():
    for a, text in ((np.zeros(3), "A: 1 dim"), (np.zeros(()), "A: 0 dim")):
        with pytest.raises(ValueError, match=text):
            libgsvd.svd(a)
    with pytest.raises(ValueError, match="A has 3 columns, B has 4"):
        libgsvd.gsvd(np.zeros((3, 3)), np.zeros((3, 4)))
    with pytest.raises(ValueError, match="form: 'y' is none of rq, x"):
        libgsvd.gsvd(A, B, form="y")
    for keyword in ("rank", "solver"):
        with pytest.raises(ValueError, match=keyword):
            libgsvd.gsvd(A, B, **{keyword: "best"})
    with pytest.raises(ValueError, match="method"):
        libgsvd.svd(A, method="fast")
    for mode in (libgsvd.qr, libgsvd.geqp):
        with pytest.raises(ValueError, match="mode"):
            mode(A, "full")
    for routine in (libgsvd.geqp, libgsvd.urv):
        for tol in (-1, np.nan):
            with pytest.raises(ValueError, match="tol"):
                routine(A, tol=tol)
    with pytest.raises(ValueError, match="TOL_A"):
        libgsvd.gsvd(A, B, tol=np.nan)
    for tol in (-1, (1, -1), (-1, 1)):
        with pytest.raises(ValueError, match="tol"):
            libgsvd.gsvd(A, B, tol=tol)
    for sweeps in (0, 1001):
        with pytest.raises(ValueError, match="GSVD_MAX_SWEEPS"):
            libgsvd.gsvd(A, B, max_sweeps=sweeps)
    with pytest.raises(ValueError, match="not square"):
        libgsvd.eigh(A)
    with pytest.raises(ValueError, match="uplo"):
        libgsvd.eigh(A[:80], uplo="X")
    for j in ([1, 2], [1, 1, 1], [[1, 1]]):
        with pytest.raises(ValueError, match="J"):
            libgsvd.hsvd(A[:, :2], j)
    with pytest.raises(ValueError, match="n_plus"):
        libgsvd.hsvd(A, n_plus=81)
    with pytest.raises(ValueError, match="independent"):
        libgsvd.hsvd(A.T)
    with pytest.raises(ValueError, match="differ"):
        libgsvd.hsvd(random(3, 2, 4, 2), [[1, 1], [1, -1]])
    with pytest.raises(libgsvd.LinAlgError, match="CUDA") as e:
        libgsvd.svd(A, device=1000)
    assert e.value.status in ("GSVD_NOT_SUPPORTED", "GSVD_DEVICE_FAILED")


def test_dependent_columns():
    g = np.ones((4, 2))
    with pytest.raises(libgsvd.LinAlgError, match="^G: column 2 depends") as e:
        libgsvd.hsvd(g)
    assert e.value.info == 4
    with pytest.raises(libgsvd.LinAlgError, match=r"problem \[1\]: G: column 2 depends"):
        libgsvd.hsvd(np.stack([random(3, 4, 2), g]))


def test_warns_of_no_convergence():
    with pytest.warns(libgsvd.ConvergenceWarning, match="sweep") as found:
        r = libgsvd.gsvd(A, B, max_sweeps=1)
    assert found[0].filename == __file__  # the caller's line
    assert not r.stats.converged and np.isfinite(r.X).all()
    with pytest.warns(libgsvd.ConvergenceWarning) as found:
        libgsvd.gsvdvals(A, B, max_sweeps=1)
    assert found[0].filename == __file__
    with pytest.warns(libgsvd.ConvergenceWarning, match="2 of 2 problems") as found:
        libgsvd.gsvd(np.stack([A, A]), B, max_sweeps=1)
    assert found[0].filename == __file__
    libgsvd.gsvd(A, B)  # no warning: the option is forgotten


def test_overflow():
    big = np.full((4, 3), 1e308)
    with pytest.raises(OverflowError, match="2\\^-"):
        libgsvd.qr(big, "r")
    with pytest.raises(OverflowError, match=r"problem \[1\]"):
        libgsvd.svd(np.stack([np.ones((4, 3)), big]))


@pytest.mark.parametrize("routine", ROUTINES)
def test_results(routine):
    r = call(routine, random(3, 4, 4))
    again = pickle.loads(pickle.dumps(r))
    assert type(again) is type(r) and repr(again) == repr(r)
    for x, y in zip(r, again, strict=True):
        same(x, y)
    with pytest.raises(dataclasses.FrozenInstanceError):
        r.rank = 3
    stack = call(routine, random(4, 2, 3, 4, 4))
    assert "2x3" in repr(stack) and "float64" in repr(r)
    assert pickle.loads(pickle.dumps(stack)).__class__ is type(r)


def test_repr():
    assert repr(libgsvd.gsvd(A, B)) == \
        "GSVDResult(A 100x80, B 90x80, float64, rank 80 = k 0 + l 80)"
    assert repr(libgsvd.gsvd(random(3, 5, 4, 4), B[:4, :4])) == \
        "GSVDResult(5 pairs, A 4x4, B 4x4, float64)"


def test_signatures():
    """Every public function has documented parameters and annotations."""
    for name in libgsvd.__all__:
        f = getattr(libgsvd, name)
        if inspect.isfunction(f):
            assert "Examples" in f.__doc__, name
            for p in inspect.signature(f).parameters.values():
                assert p.name in f.__doc__ and p.annotation is not p.empty, (name, p)


def test_threads():
    want = libgsvd.gsvd(A, B)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for r in pool.map(lambda _: libgsvd.gsvd(A, B), range(12)):
            same(r.alpha, want.alpha)
            same(r.X, want.X)


def test_options_are_of_one_thread():
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        got = pool.map(lambda s: libgsvd.gsvd(A, B, solver=s).stats.solver,
                       ["tangent", "csd"] * 8)
        assert list(got) == ["tangent", "csd"] * 8


def test_releases_the_interpreter():
    """Another thread of Python works while a call computes."""
    a, stop, count = random(5, 400, 400), threading.Event(), [0]

    def count_up():
        while not stop.is_set():
            count[0] += 1
            time.sleep(0)

    thread = threading.Thread(target=count_up)
    thread.start()
    try:
        while count[0] == 0:
            time.sleep(0.001)
        before = count[0]
        libgsvd.gsvd(a, a[::-1])
        assert count[0] > before + 10
    finally:
        stop.set()
        thread.join()


def runs(text):
    """What a new process prints, which runs this: one that has no threads of other packages."""
    done = subprocess.run([*PYTHON, "-c", text], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_fork():
    """A child goes on with its parent's handle, and the parent with it too."""
    assert runs("""
import os, numpy as np, libgsvd
A = np.random.default_rng(1).standard_normal((100, 80))
want = libgsvd.gsvd(A, A[::-1]).X
child = os.fork()
got = libgsvd.gsvd(A, A[::-1]).X
if child == 0:
    os._exit(int((got != want).any()))
print(os.waitpid(child, 0)[1], (got == want).all())
""") == "0 True\n"


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_pools(method, tmp_path):
    program = tmp_path / "program.py"
    program.write_text(f"""
import multiprocessing, numpy as np, libgsvd
def alpha(seed):
    A = np.random.default_rng(seed).standard_normal((90, 80))
    return libgsvd.gsvdvals(A, A[::-1])[0]
if __name__ == "__main__":
    want = [alpha(i) for i in range(4)]
    with multiprocessing.get_context({method!r}).Pool(2) as pool:
        print(np.array_equal(pool.map(alpha, range(4)), want))
""")
    done = subprocess.run([*PYTHON, program], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


@pytest.mark.parametrize("wait", [0, 0.01, 0.2])
def test_exit_with_handles(wait):
    """A process whose threads have handles, and are at work, ends well and prints nothing."""
    text = ("import threading, time, numpy as np, libgsvd\n"
            "def work():\n"
            "    while True: libgsvd.svd(np.ones((50, 40)))\n"
            "for _ in range(3): threading.Thread(target=work, daemon=True).start()\n"
            f"libgsvd.svd(np.ones((50, 40))); time.sleep({wait})\n")
    assert runs(text) == ""


def test_calls_at_exit():
    text = ("import atexit, numpy as np\n"
            "atexit.register(lambda: print(libgsvd.svdvals(np.eye(2))))\n"
            "import libgsvd\n")
    assert runs(text) == "[1. 1.]\n"


def test_show_config(capsys):
    libgsvd.show_config()
    assert libgsvd.__version__ in capsys.readouterr().out
