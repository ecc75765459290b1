## SPDX-FileCopyrightText: the libgsvd authors
## SPDX-License-Identifier: BSD-3-Clause
## -*- texinfo -*-
## @deftypefn  {} {@var{sigma} =} gsvd (@var{A}, @var{B})
## @deftypefnx {} {[@var{U}, @var{V}, @var{X}, @var{C}, @var{S}] =} gsvd (@var{A}, @var{B})
## @deftypefnx {} {[@dots{}] =} gsvd (@var{A}, @var{B}, "econ")
## The generalized singular value decomposition @code{@var{A} = @var{U}*@var{C}*@var{X}'},
## @code{@var{B} = @var{V}*@var{S}*@var{X}'} with unitary @var{U} and @var{V} and
## @code{@var{C}'*@var{C} + @var{S}'*@var{S} = eye (r)}, in MATLAB's order: the values
## @var{sigma}, those of @code{sqrt (diag (C'*C) ./ diag (S'*S))}, rise.  @var{X} has r
## columns, where r is the rank of @code{[@var{A}; @var{B}]}.
##
## With @qcode{"econ"} or @code{0} @var{U} and @var{V} have at most as many columns as
## @var{A}, and @var{C} and @var{S} as many rows.
## @end deftypefn

function [U, V, X, C, S] = gsvd (A, B, economy)
  if (nargin < 2 || nargin > 3)
    print_usage ();
  elseif (nargin == 3 && ! (isequal (economy, "econ") || isequal (economy, 0)))
    error ("gsvd: the third argument must be \"econ\" or 0");
  endif
  if (nargout < 2)
    [alpha, beta] = __gsvd__ (A, B, "N");
    U = flipud (alpha ./ beta);
    return;
  endif
  [alpha, beta, l, U, V, X] = __gsvd__ (A, B, "US"(nargin - 1));
  r = numel (alpha);
  a = min (rows (A), r);
  U(:, 1:a) = U(:, a:-1:1);
  V(:, 1:l) = V(:, l:-1:1);
  X = X(:, r:-1:1);
  C = zeros (columns (U), r, class (alpha));
  S = zeros (columns (V), r, class (alpha));
  C(sub2ind (size (C), 1:a, r-a+(1:a))) = alpha(a:-1:1);
  S(sub2ind (size (S), 1:l, 1:l)) = beta(r:-1:r-l+1);
endfunction

%!function check (A, B, tol, varargin)
%! [U, V, X, C, S] = gsvd (A, B, varargin{:});
%! r = columns (X);
%! assert (norm (U*C*X' - A) <= tol * norm (A));
%! assert (norm (V*S*X' - B) <= tol * norm (B));
%! assert (U'*U, eye (columns (U)), tol);
%! assert (V'*V, eye (columns (V)), tol);
%! assert (C'*C + S'*S, eye (r), tol);
%! c = sqrt (diag (C'*C));
%! s = sqrt (diag (S'*S));
%! assert (issorted (c ./ s));
%! finite = isfinite (c ./ s);
%! assert (gsvd (A, B)(finite), (c ./ s)(finite), -1e3 * tol);
%!endfunction
%!shared randn_
%! randn ("state", 1);
%! randn_ = @(m, n) randn (m, n) + i * randn (m, n);
%!test check (randn (5, 4), randn (6, 4), 1e-13);
%!test check (randn (9, 4), randn (6, 4), 1e-13, "econ");
%!test check (randn (3, 5), randn_ (4, 5), 1e-13);
%!test check (randn_ (7, 5), randn_ (2, 5), 1e-13, 0);
%!test check (single (randn (8, 6)), randn (7, 6), 1e-5);
%!test check (single (randn_ (8, 6)), single (randn_ (3, 6)), 1e-5);
%!test # ranks: r = 3 of 5 columns
%! A = randn (6, 2) * randn (2, 5);
%! B = [A(1,:); randn(1, 5)];
%! check (A, B, 1e-12);
%! [~, ~, X] = gsvd (A, B);
%! assert (size (X), [5, 3]);
%!test # the pair of docs/migration.md
%! [~, ~, ~, C, S] = gsvd ([1 2 3; 4 5 6; 7 8 10], [1 2 1; 0 1 2]);
%! assert (diag (C)', [0.2115 0.6295 1], 5e-5);
%! assert ([S(1,1) S(2,2)], [0.9774 0.7770], 5e-5);
%!assert (gsvd (zeros (0, 3), eye (3)), zeros (3, 1))
%!error <same number of columns> gsvd (ones (2, 3), ones (2, 4))
%!error <econ> gsvd (1, 1, "full")
%!error <NaN> gsvd (NaN, 1)
%!error gsvd (1)
