! SPDX-FileCopyrightText: the libgsvd authors
! SPDX-License-Identifier: BSD-3-Clause
! grid_scalapack.f90 -- a program on ScaLAPACK that calls PDGESVD, and on the same arrays libgsvd:
!
!     gfortran grid_scalapack.f90 -lgsvd -lscalapack-openmpi -o grid_scalapack
!     mpirun -n 4 ./grid_scalapack 2 2
!
! A, 1024 x 200, is the matrix of grid.c with its columns in reverse order: its singular values are 2^-k
! times the golden ratio and its inverse.  It prints the largest relative error of the values of both.
module gsvd_grid
    use iso_c_binding
    implicit none

    type, bind(c) :: gsvd_grid_desc_t
        integer(c_int64_t) :: m, n, mb, nb, rsrc, csrc, lld, i, j
    end type

    interface
        function gsvd_grid_from_blacs(g, context) bind(c) result(status)
            import
            type(c_ptr) :: g
            integer(c_int), value :: context
            integer(c_int) :: status
        end function
        function gsvd_grid_destroy(g) bind(c) result(status)
            import
            type(c_ptr), value :: g
            integer(c_int) :: status
        end function
        function gsvd_grid_desc(desc) bind(c) result(d)
            import
            integer(c_int) :: desc(9)
            type(gsvd_grid_desc_t) :: d
        end function
        function dgsvd_grid_svd(g, jobu, jobv, m, n, A, descA, sigma, U, descU, V, descV, info) &
            bind(c) result(status)
            import
            type(c_ptr), value :: g
            character(c_char), value :: jobu, jobv
            integer(c_int64_t), value :: m, n
            real(c_double) :: A(*), sigma(*), U(*), V(*)
            type(gsvd_grid_desc_t) :: descA, descU, descV
            integer(c_int) :: info, status
        end function
    end interface
end module

program grid_scalapack
    use gsvd_grid
    implicit none
    integer, parameter :: m = 1024, n = 200, nb = 32
    integer :: ictxt, me, processes, p, q, r, c, rows, cols, i, j, info, status
    integer :: descA(9), descU(9), descVT(9), descV(9)
    type(c_ptr) :: g
    type(gsvd_grid_desc_t) :: gA, gU, gV
    real(c_double), allocatable :: A(:, :), U(:, :), V(:, :), VT(:, :), work(:)
    real(c_double) :: s(n), sigma(n), best(1)
    integer, external :: numroc, indxl2g

    call blacs_pinfo(me, processes)
    p = argument(1, 1)
    q = argument(2, processes)
    call blacs_get(-1, 0, ictxt)
    call blacs_gridinit(ictxt, 'Row', p, q)
    call blacs_gridinfo(ictxt, p, q, r, c)
    rows = max(numroc(m, nb, r, 0, p), 1)
    cols = numroc(n, nb, c, 0, q)
    allocate (A(rows, cols), U(rows, cols))
    allocate (V(max(numroc(n, nb, r, 0, p), 1), cols), VT(max(numroc(n, nb, r, 0, p), 1), cols))
    call descinit(descA, m, n, nb, nb, 0, 0, ictxt, rows, info)
    call descinit(descU, m, n, nb, nb, 0, 0, ictxt, rows, info)
    call descinit(descV, n, n, nb, nb, 0, 0, ictxt, size(V, 1), info)
    descVT = descV

    call fill
    gA = gsvd_grid_desc(descA)
    gU = gsvd_grid_desc(descU)
    gV = gsvd_grid_desc(descV)
    if (gsvd_grid_from_blacs(g, ictxt) /= 0) stop 'no grid'
    status = dgsvd_grid_svd(g, 'S', 'S', int(m, c_int64_t), int(n, c_int64_t), A, gA, sigma, &
                            U, gU, V, gV, info)
    if (status /= 0) stop 'no SVD'
    status = gsvd_grid_destroy(g)
    if (me == 0) print '("dgsvd_grid_svd ", es8.1)', error_of(sigma)

    call pdgesvd('V', 'V', m, n, A, 1, 1, descA, s, U, 1, 1, descU, VT, 1, 1, descVT, &
                 best, -1, info)
    allocate (work(int(best(1))))
    call pdgesvd('V', 'V', m, n, A, 1, 1, descA, s, U, 1, 1, descU, VT, 1, 1, descVT, &
                 work, size(work), info)
    if (info /= 0) stop 'pdgesvd failed'
    if (me == 0) print '("pdgesvd        ", es8.1)', error_of(s)
    call blacs_gridexit(ictxt)
    call blacs_exit(0)

contains

    integer function argument(k, otherwise)
        integer, intent(in) :: k, otherwise
        character(12) :: word
        call get_command_argument(k, word)
        argument = otherwise
        if (word /= '') read (word, *) argument
    end function

    subroutine fill
        real(c_double) :: x
        integer :: gi, gj
        do j = 1, cols
            gj = n - indxl2g(j, nb, c, 0, q)
            do i = 1, numroc(m, nb, r, 0, p)
                gi = indxl2g(i, nb, r, 0, p) - 1
                x = hadamard(gi, gj)
                if (mod(gj, 2) == 1) x = x + hadamard(gi, gj - 1)
                A(i, j) = scale(x/32, -(gj/2))
            end do
        end do
    end subroutine

    real(c_double) function hadamard(row, column)
        integer, intent(in) :: row, column
        hadamard = 1 - 2*poppar(iand(row, column))
    end function

    ! 2^-k phi and 2^-k / phi in descending order: phi, then 2^-k (1 / phi, phi / 2), k = 0, 1, ...
    real(c_double) function error_of(values)
        real(c_double), intent(in) :: values(n)
        real(c_double), parameter :: phi = (1 + sqrt(5d0))/2
        real(c_double) :: exact(n)
        integer :: k
        exact(1) = phi
        do k = 0, n/2 - 2
            exact(2*k + 2) = scale(phi/2, -k)
            exact(2*k + 3) = scale(1/phi, -k)
        end do
        exact(n) = scale(1/phi, -(n/2 - 1))
        error_of = maxval(abs(values - exact)/exact)
    end function
end program
