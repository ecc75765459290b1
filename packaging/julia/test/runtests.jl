# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
using LibGSVD, LinearAlgebra, Test

@testset "$T, $m x $n and $p x $n, full = $full" for T in (Float32, Float64, ComplexF32, ComplexF64),
    (m, n, p) in ((5, 4, 6), (3, 5, 4), (9, 4, 2)), full in (false, true)

    A, B = randn(T, m, n), randn(T, p, n)
    U, V, X, D1, D2, alpha, beta, k, l = gsvd(A, B; full = full)
    tol = 100 * eps(real(T))
    @test norm(U * D1 * X' - A) <= tol * norm(A)
    @test norm(V * D2 * X' - B) <= tol * norm(B)
    @test norm(U' * U - I) <= tol
    @test norm(V' * V - I) <= tol
    @test norm(D1' * D1 + D2' * D2 - I) <= tol
    @test (k, l) == (n - min(p, n), min(p, n))
    @test issorted(alpha ./ beta; rev = true)
    @test size(U) == (m, full ? m : min(m, n))
    @test gsvdvals(A, B)[k+1:end] ≈ (alpha./beta)[k+1:end]
end

@testset "the pair of examples/host.c" begin
    F = gsvd([1 2 3; 4 5 6; 7 8 10], [1 2 1; 0 1 2])
    @test F.alpha ≈ [1, 0.6294699325219671, 0.2114532712931005]
    @test F.beta ≈ [0, 0.7770248413344261, 0.9773881082044361]
end

@testset "errors" begin
    @test_throws DimensionMismatch gsvd(ones(2, 3), ones(2, 4))
    @test_throws ArgumentError gsvd(big.(ones(2, 2)), ones(2, 2))
    @test_throws LibGSVD.GSVDError gsvd([NaN 1], [1 1])
end
