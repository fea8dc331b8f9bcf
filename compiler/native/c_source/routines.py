"""Routines of linear algebra in C, written into the file that calls them; matrices lie by rows."""

from __future__ import annotations

__all__ = ["NAMES", "NEEDS", "TEXTS", "routine"]

# {T}: the type of numbers, {f}: the letter of C's functions for it, {I}: that of sizes.
MATMUL = """\
/* c = {what}: c is m by n, and k is summed over */
static void {name}{f}({I} m, {I} k, {I} n, const {T} *a, const {T} *b, {T} *restrict c)
{{
    for ({I} i = 0; i < m; i++) {{
        for ({I} j = 0; j < n; j++) {{
            {T} sum = 0;
            for ({I} p = 0; p < k; p++) sum += a[{a}] * b[{b}];
            c[i*n + j] = sum;
        }}
    }}
}}"""
MATVEC = """\
/* y = {what}: y has m elements, x has n */
static void {name}{f}({I} m, {I} n, const {T} *a, const {T} *x, {T} *restrict y)
{{
    for ({I} i = 0; i < m; i++) {{
        {T} sum = 0;
        for ({I} j = 0; j < n; j++) sum += a[{a}] * x[j];
        y[i] = sum;
    }}
}}"""
PRODUCTS = {
    "matmul": ("a b", "i*k + p", "p*n + j"),
    "matmul_tn": ("a' b", "p*m + i", "p*n + j"),
    "matmul_nt": ("a b'", "i*k + p", "j*k + p"),
    "matmul_tt": ("a' b'", "p*m + i", "j*k + p"),
}
VECTORS = {"matvec": ("a x", "i*n + j"), "matvec_t": ("a' x", "j*m + i")}
SWAP_ROWS = """\
static void swap_rows{f}({I} m, {T} *a, {T} *b)
{{
    for ({I} j = 0; j < m; j++) {{
        const {T} kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }}
}}"""
LU_FACTOR = """\
/* In place, P a = L U by Gaussian elimination with row pivoting: the ones on the diagonal of L are left out, and row
   k was exchanged with row rows[k].  Returns 1 if a is singular. */
static int lu_factor{f}({I} n, {T} *a, {I} *rows)
{{
    for ({I} k = 0; k < n; k++) {{
        {I} row = k;
        for ({I} i = k + 1; i < n; i++) {{
            if (fabs{f}(a[i*n + k]) > fabs{f}(a[row*n + k])) row = i;
        }}
        if (a[row*n + k] == 0) return 1;
        rows[k] = row;
        if (row != k) swap_rows{f}(n, &a[k*n], &a[row*n]);
        for ({I} i = k + 1; i < n; i++) {{
            a[i*n + k] /= a[k*n + k];
            for ({I} j = k + 1; j < n; j++) a[i*n + j] -= a[i*n + k] * a[k*n + j];
        }}
    }}
    return 0;
}}"""
LU_SOLVE = """\
/* In place, x = a^-1 x for the m columns of x, by what lu_factor made of a. */
static void lu_solve{f}({I} n, {I} m, const {T} *lu, const {I} *rows, {T} *x)
{{
    for ({I} k = 0; k < n; k++) {{
        if (rows[k] != k) swap_rows{f}(m, &x[k*m], &x[rows[k]*m]);
    }}
    for ({I} i = 1; i < n; i++) {{
        for ({I} k = 0; k < i; k++) {{
            for ({I} j = 0; j < m; j++) x[i*m + j] -= lu[i*n + k] * x[k*m + j];
        }}
    }}
    for ({I} i = n - 1; i >= 0; i--) {{
        for ({I} k = i + 1; k < n; k++) {{
            for ({I} j = 0; j < m; j++) x[i*m + j] -= lu[i*n + k] * x[k*m + j];
        }}
        for ({I} j = 0; j < m; j++) x[i*m + j] /= lu[i*n + i];
    }}
}}"""
LU_SOLVE_T = """\
/* In place, x = a'^-1 x for the m columns of x, by what lu_factor made of a. */
static void lu_solve_t{f}({I} n, {I} m, const {T} *lu, const {I} *rows, {T} *x)
{{
    for ({I} k = 0; k < n; k++) {{
        for ({I} j = 0; j < m; j++) x[k*m + j] /= lu[k*n + k];
        for ({I} i = k + 1; i < n; i++) {{
            for ({I} j = 0; j < m; j++) x[i*m + j] -= lu[k*n + i] * x[k*m + j];
        }}
    }}
    for ({I} k = n - 1; k >= 0; k--) {{
        for ({I} i = 0; i < k; i++) {{
            for ({I} j = 0; j < m; j++) x[i*m + j] -= lu[k*n + i] * x[k*m + j];
        }}
    }}
    for ({I} k = n - 1; k >= 0; k--) {{
        if (rows[k] != k) swap_rows{f}(m, &x[k*m], &x[rows[k]*m]);
    }}
}}"""
CHOLESKY = """\
/* In place, the lower triangular L with a = L L', of which only the lower half is read.  Returns 1 if a is not
   positive definite. */
static int cholesky{f}({I} n, {T} *a)
{{
    for ({I} i = 0; i < n; i++) {{
        for ({I} j = 0; j <= i; j++) {{
            {T} rest = a[i*n + j];
            for ({I} k = 0; k < j; k++) rest -= a[i*n + k] * a[j*n + k];
            if (j < i) {{
                a[i*n + j] = rest / a[j*n + j];
            }} else if (rest > 0) {{
                a[i*n + i] = sqrt{f}(rest);
            }} else {{
                return 1;
            }}
        }}
        for ({I} j = i + 1; j < n; j++) a[i*n + j] = 0;
    }}
    return 0;
}}"""
LOWER_SOLVE = """\
/* In place, x = l^-1 x for the m columns of x, l being lower triangular.  Returns 1 if l is singular. */
static int lower_solve{f}({I} n, {I} m, const {T} *l, {T} *x)
{{
    for ({I} i = 0; i < n; i++) {{
        if (l[i*n + i] == 0) return 1;
        for ({I} k = 0; k < i; k++) {{
            for ({I} j = 0; j < m; j++) x[i*m + j] -= l[i*n + k] * x[k*m + j];
        }}
        for ({I} j = 0; j < m; j++) x[i*m + j] /= l[i*n + i];
    }}
    return 0;
}}"""
LOWER_SOLVE_T = """\
/* In place, x = l'^-1 x for the m columns of x, l being lower triangular.  Returns 1 if l is singular. */
static int lower_solve_t{f}({I} n, {I} m, const {T} *l, {T} *x)
{{
    for ({I} i = n - 1; i >= 0; i--) {{
        if (l[i*n + i] == 0) return 1;
        for ({I} k = i + 1; k < n; k++) {{
            for ({I} j = 0; j < m; j++) x[i*m + j] -= l[k*n + i] * x[k*m + j];
        }}
        for ({I} j = 0; j < m; j++) x[i*m + j] /= l[i*n + i];
    }}
    return 0;
}}"""
TEXTS = {
    "swap_rows": SWAP_ROWS, "lu_factor": LU_FACTOR, "lu_solve": LU_SOLVE, "lu_solve_t": LU_SOLVE_T,
    "cholesky": CHOLESKY, "lower_solve": LOWER_SOLVE, "lower_solve_t": LOWER_SOLVE_T,
}  # fmt: skip
NAMES = [*PRODUCTS, *VECTORS, *TEXTS]
NEEDS = {name: ("swap_rows",) for name in ("lu_factor", "lu_solve", "lu_solve_t")}


def routine(name: str, dtype: str, integer: str) -> str:
    """The text of a routine for numbers of a dtype.

    >>> print(routine("matvec", "f4", "int").splitlines()[1])
    static void matvecf(int m, int n, const float *a, const float *x, float *restrict y)
    """
    said = {
        "T": "float" if dtype == "f4" else "double",
        "f": "f" if dtype == "f4" else "",
        "I": integer,
    }
    if name in PRODUCTS:
        what, a, b = PRODUCTS[name]
        return MATMUL.format(name=name, what=what, a=a, b=b, **said)
    if name in VECTORS:
        what, a = VECTORS[name]
        return MATVEC.format(name=name, what=what, a=a, **said)
    return TEXTS[name].format(**said)
