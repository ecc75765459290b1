# SPDX-FileCopyrightText: the libgsvd authors
# SPDX-License-Identifier: BSD-3-Clause
"""
The generalized singular value decomposition by libgsvd, on the CPU or an NVIDIA GPU.
`libgsvd.so.0` is where the loader looks, or in `LD_LIBRARY_PATH`.
"""
module LibGSVD

export gsvd, gsvdvals

const libgsvd = "libgsvd.so.0"

# of gsvd.h
const GSVD_HOST = -1
const GSVD_ANY = -2
const GSVD_SUCCESS = 0
const GSVD_NOT_CONVERGED = 1
const GSVD_FORM = 1
const GSVD_FORM_X = 1

struct GSVDError <: Exception
    status::Int
    text::String
end
Base.showerror(io::IO, e::GSVDError) = print(io, "libgsvd: ", e.text)

"A handle of libgsvd: `GSVD_HOST`, a CUDA device's number, or `GSVD_ANY`. One task at a time may use it."
mutable struct Handle
    pointer::Ptr{Cvoid}
    function Handle(device::Integer = GSVD_ANY)
        place = Ref{Ptr{Cvoid}}(C_NULL)
        status = ccall((:gsvd_create, libgsvd), Cint, (Ptr{Ptr{Cvoid}}, Cint), place, device)
        status == GSVD_SUCCESS || throw(GSVDError(status, last_error(C_NULL)))
        h = new(place[])
        finalizer(destroy, h)
        return h
    end
end
Base.unsafe_convert(::Type{Ptr{Cvoid}}, h::Handle) = h.pointer

destroy(h::Handle) = ccall((:gsvd_destroy, libgsvd), Cint, (Ptr{Cvoid},), h)

last_error(h) = unsafe_string(ccall((:gsvd_last_error, libgsvd), Cstring, (Ptr{Cvoid},), h))

function check(h::Handle, status)
    status == GSVD_SUCCESS && return nothing
    status == GSVD_NOT_CONVERGED || throw(GSVDError(status, last_error(h)))
    @warn "libgsvd: $(last_error(h))"
    return nothing
end

# the handle of this task
handle() = get!(Handle, task_local_storage(), :libgsvd_handle)::Handle

for (name, T) in ((:sgsvd, Float32), (:dgsvd, Float64), (:cgsvd, ComplexF32), (:zgsvd, ComplexF64))
    R = real(T)
    @eval function call(h::Handle, job::NTuple{3,UInt8}, m, n, p, k, l, A::Matrix{$T}, B::Matrix{$T},
                        alpha::Vector{$R}, beta::Vector{$R}, U::Matrix{$T}, V::Matrix{$T}, X::Matrix{$T})
        status = ccall(($(QuoteNode(name)), libgsvd), Cint,
            (Ptr{Cvoid}, Cchar, Cchar, Cchar, Int64, Int64, Int64, Ptr{Int64}, Ptr{Int64},
             Ptr{$T}, Int64, Ptr{$T}, Int64, Ptr{$R}, Ptr{$R},
             Ptr{$T}, Int64, Ptr{$T}, Int64, Ptr{$T}, Int64, Ptr{Cint}),
            h, job[1], job[2], job[3], m, n, p, k, l,
            A, max(1, m), B, max(1, p), alpha, beta,
            U, max(1, m), V, max(1, p), X, max(1, n), C_NULL)
        check(h, status)
    end
end

const Scalar = Union{Float32,Float64,ComplexF32,ComplexF64}

# alpha, beta, k, l and, unless size is 'N', U, V and X; 'U': all of U and V, 'S': economy
function decompose(A::AbstractMatrix, B::AbstractMatrix, size::Char, h::Handle)
    Base.require_one_based_indexing(A, B)
    (m, n), p = Base.size(A), Base.size(B, 1)
    Base.size(B, 2) == n ||
        throw(DimensionMismatch("A has $n columns, B has $(Base.size(B, 2))"))
    T = float(promote_type(eltype(A), eltype(B)))
    T <: Scalar || throw(ArgumentError("no GSVD of matrices of $T"))
    R = real(T)
    factors = size != 'N'
    U = zeros(T, factors ? m : 0, size == 'U' ? m : min(m, n))
    V = zeros(T, factors ? p : 0, size == 'U' ? p : min(p, n))
    X = zeros(T, factors ? n : 0, n)
    alpha, beta = zeros(R, n), zeros(R, n)
    k, l = Ref{Int64}(0), Ref{Int64}(0)
    job = UInt8.((size, size == 'U' ? 'V' : size, factors ? 'Q' : 'N'))
    status = ccall((:gsvd_set_option, libgsvd), Cint, (Ptr{Cvoid}, Cint, Cdouble),
        h, GSVD_FORM, GSVD_FORM_X)
    check(h, status)
    # the call overwrites A and B
    call(h, job, m, n, p, k, l, Matrix{T}(A), Matrix{T}(B), alpha, beta, U, V, X)
    r = k[] + l[]
    return (U = U, V = V, X = X[:, 1:(factors ? r : 0)], alpha = alpha[1:r], beta = beta[1:r],
            k = k[], l = l[])
end

"""
    gsvd(A, B; full = false, handle) -> (U, V, X, D1, D2, alpha, beta, k, l)

`A = U * D1 * X'` and `B = V * D2 * X'` with unitary `U` and `V`, in economy size unless `full`.
`D1` and `D2` have `alpha` and `beta[k+1:k+l]` on diagonals, `D1' * D1 + D2' * D2 = I`, and the
values `alpha ./ beta` fall. `X` has `k + l` columns, the rank of `[A; B]`; `l` is that of `B`.
"""
function gsvd(A::AbstractMatrix, B::AbstractMatrix; full::Bool = false, handle::Handle = handle())
    F = decompose(A, B, full ? 'U' : 'S', handle)
    r = F.k + F.l
    D1 = zeros(eltype(F.alpha), size(F.U, 2), r)
    D2 = zeros(eltype(F.beta), size(F.V, 2), r)
    for i in 1:min(size(A, 1), r)
        D1[i, i] = F.alpha[i]
    end
    for i in 1:F.l
        D2[i, F.k+i] = F.beta[F.k+i]
    end
    return (U = F.U, V = F.V, X = F.X, D1 = D1, D2 = D2, alpha = F.alpha, beta = F.beta, k = F.k, l = F.l)
end

"""
    gsvdvals(A, B; handle) -> alpha ./ beta

The generalized singular values, falling; the first `k` are infinite.
"""
function gsvdvals(A::AbstractMatrix, B::AbstractMatrix; handle::Handle = handle())
    F = decompose(A, B, 'N', handle)
    return F.alpha ./ F.beta
end

end
