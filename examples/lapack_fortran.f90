! SPDX-FileCopyrightText: the libgsvd authors
! SPDX-License-Identifier: BSD-3-Clause
! lapack_fortran.f90 -- a Fortran program that calls LAPACK's DGGSVD3 and knows
! nothing of libgsvd: linked to -lgsvd_lapack before LAPACK, or started with
! LD_PRELOAD=libgsvd_lapack.so.0, it runs on libgsvd.
program lapack_fortran
    implicit none
    integer, parameter :: m = 3, n = 3, p = 2, real64 = kind(1d0)
    real(real64) :: A(m, n) = reshape(real([1, 4, 7, 2, 5, 8, 3, 6, 10], real64), [m, n])
    real(real64) :: B(p, n) = reshape(real([1, 0, 2, 1, 1, 2], real64), [p, n])
    real(real64) :: alpha(n), beta(n), U(m, m), V(p, p), Q(n, n), best(1)
    real(real64), allocatable :: work(:)
    integer :: iwork(n), k, l, i, info
    external :: dggsvd3

    call dggsvd3('U', 'V', 'Q', m, n, p, k, l, A, m, B, p, alpha, beta, &
                 U, m, V, p, Q, n, best, -1, iwork, info)
    allocate (work(int(best(1))))
    call dggsvd3('U', 'V', 'Q', m, n, p, k, l, A, m, B, p, alpha, beta, &
                 U, m, V, p, Q, n, work, size(work), iwork, info)
    if (info /= 0) stop 1
    print '("alpha ", f8.6, "  beta ", f8.6)', (alpha(i), beta(i), i = 1, k + l)
end program lapack_fortran
