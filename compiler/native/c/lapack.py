"""Factorisations of large matrices by NumPy's library, which sees the transposes of matrices that lie by rows."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..loop_ir.calls import Library
from ..loop_ir.ir import Kernel, walk

__all__ = ["factorisation_texts", "library_call"]

# {T}: the type of numbers, {d}: its letter, {k}: where its routines begin in the table
TEXT = r"""
typedef void (*rg_{d}getrf_t)(const int64_t *, const int64_t *, {T} *, const int64_t *, int64_t *, int64_t *);
typedef void (*rg_{d}getrs_t)(const char *, const int64_t *, const int64_t *, const {T} *, const int64_t *,
                             const int64_t *, {T} *, const int64_t *, int64_t *, size_t);
typedef void (*rg_{d}potrf_t)(const char *, const int64_t *, {T} *, const int64_t *, int64_t *, size_t);
typedef void (*rg_{d}trsm_t)(const char *, const char *, const char *, const char *, const int64_t *, const int64_t *,
                            const {T} *, const {T} *, const int64_t *, {T} *, const int64_t *, size_t, size_t, size_t, size_t);

/* In place, the transpose of a as P L U: row k of the transpose was exchanged with row rows[k]. */
static int rg_{d}lu_factor(int64_t n, {T} *a, int64_t *rows)
{{
    int64_t info = 0;
    if (!n) return 0;
    if (!rg_lapack[{k}]) return 1;
    ((rg_{d}getrf_t)rg_lapack[{k}])(&n, &n, a, &n, rows, &info);
    for (int64_t i = 0; i < n; i++) rows[i]--;
    return info != 0;
}}

static int rg_{d}swaps(int64_t n, int64_t m, const int64_t *rows, {T} *x, int back)
{{
    for (int64_t i = 0; i < n; i++) {{
        int64_t k = back ? n - 1 - i : i;
        {T} *a = x + k * m, *b = x + rows[k] * m;
        if (a != b) for (int64_t j = 0; j < m; j++) {{ {T} t = a[j]; a[j] = b[j]; b[j] = t; }}
    }}
    return 0;
}}

/* In place, x = a^-1 x or a'^-1 x of a triangle by rows: by loops, and for a large one by the library. */
static int rg_{d}triangle(int upper, int turned, int unit, int64_t n, int64_t m, const {T} *a, {T} *restrict x)
{{
    const {T} one = 1;
    if (!n || !m) return 0;
    if (n > 256) {{
        if (!rg_lapack[{k} + 3]) return 1;
        ((rg_{d}trsm_t)rg_lapack[{k} + 3])("R", upper ? "L" : "U", turned ? "T" : "N", unit ? "U" : "N", &m, &n, &one, a, &n,
                                         x, &m, 1, 1, 1, 1);
        return 0;
    }}
    for (int64_t step = 0; step < n; step++) {{
        const int64_t i = upper != turned ? n - 1 - step : step;
        const int64_t lo = upper ? i + 1 : 0, hi = upper ? n : i;
        const {T} *row = a + i * n;
        {T} *own = x + i * m;
        if (!turned && m == 1) {{
            {T} sum = 0;
            #pragma omp simd reduction(+:sum)
            for (int64_t k = lo; k < hi; k++) sum += row[k] * x[k];
            own[0] -= sum;
        }} else if (!turned) {{
            for (int64_t k = lo; k < hi; k++) {{
                #pragma omp simd
                for (int64_t j = 0; j < m; j++) own[j] -= row[k] * x[k * m + j];
            }}
        }}
        if (!unit) for (int64_t j = 0; j < m; j++) own[j] /= row[i];
        if (turned && m == 1) {{
            const {T} value = own[0];
            #pragma omp simd
            for (int64_t k = lo; k < hi; k++) x[k] -= row[k] * value;
        }} else if (turned) {{
            for (int64_t k = lo; k < hi; k++) {{
                #pragma omp simd
                for (int64_t j = 0; j < m; j++) x[k * m + j] -= row[k] * own[j];
            }}
        }}
    }}
    return 0;
}}

static int rg_{d}one(const char *trans, int64_t n, const {T} *lu, int64_t *rows, {T} *x)
{{
    const int64_t one = 1;
    int64_t info = 0;
    if (!rg_lapack[{k} + 1]) return 1;
    for (int64_t i = 0; i < n; i++) rows[i]++;
    ((rg_{d}getrs_t)rg_lapack[{k} + 1])(trans, &n, &one, lu, &n, rows, x, &n, &info, 1);
    for (int64_t i = 0; i < n; i++) rows[i]--;
    return info != 0;
}}

/* In place, x = a^-1 x for the m columns of x. */
static int rg_{d}lu_solve(int64_t n, int64_t m, const {T} *lu, int64_t *rows, {T} *x)
{{
    if (m == 1 && n) return rg_{d}one("T", n, lu, rows, x);
    return rg_{d}triangle(0, 0, 0, n, m, lu, x) || rg_{d}triangle(1, 0, 1, n, m, lu, x)
        || rg_{d}swaps(n, m, rows, x, 1);
}}

/* In place, x = a'^-1 x. */
static int rg_{d}lu_solve_t(int64_t n, int64_t m, const {T} *lu, int64_t *rows, {T} *x)
{{
    if (m == 1 && n) return rg_{d}one("N", n, lu, rows, x);
    return rg_{d}swaps(n, m, rows, x, 0) || rg_{d}triangle(1, 1, 1, n, m, lu, x)
        || rg_{d}triangle(0, 1, 0, n, m, lu, x);
}}

/* In place, the lower factor, of which only the lower half is read. */
static int rg_{d}cholesky(int64_t n, {T} *a)
{{
    int64_t info = 0;
    if (!n) return 0;
    if (!rg_lapack[{k} + 2]) return 1;
    ((rg_{d}potrf_t)rg_lapack[{k} + 2])("U", &n, a, &n, &info, 1);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = i + 1; j < n; j++) a[i*n + j] = 0;
    return info != 0;
}}

static int rg_{d}singular(int64_t n, const {T} *a)
{{
    for (int64_t i = 0; i < n; i++) if (a[i*n + i] == 0) return 1;
    return 0;
}}

/* In place, x = low^-1 x, and x = low'^-1 x, and the same of an upper matrix. */
static int rg_{d}lower_solve(int64_t n, int64_t m, const {T} *low, {T} *x)
{{
    return rg_{d}singular(n, low) || rg_{d}triangle(0, 0, 0, n, m, low, x);
}}

static int rg_{d}lower_solve_t(int64_t n, int64_t m, const {T} *low, {T} *x)
{{
    return rg_{d}singular(n, low) || rg_{d}triangle(0, 1, 0, n, m, low, x);
}}

static int rg_{d}upper_solve(int64_t n, int64_t m, const {T} *up, {T} *x)
{{
    return rg_{d}singular(n, up) || rg_{d}triangle(1, 0, 0, n, m, up, x);
}}

static int rg_{d}upper_solve_t(int64_t n, int64_t m, const {T} *up, {T} *x)
{{
    return rg_{d}singular(n, up) || rg_{d}triangle(1, 1, 0, n, m, up, x);
}}

"""

TYPES = {"f8": ("double", "d", 0), "f4": ("float", "s", 4)}


def factorisation_texts(kernel: Kernel) -> Iterator[str]:
    """The routines that a kernel calls, as C."""
    bodies = [kernel.body, *(function.body for function in kernel.functions)]
    calls = (s for body in bodies for s in walk(body) if isinstance(s, Library))
    for dtype in sorted({s.memory[0].dtype for s in calls}):
        kind, letter, first = TYPES[dtype]
        yield TEXT.format(T=kind, d=letter, k=first)


def library_call(stmt: Library, expression: Callable[[Any], str]) -> str:
    letter = TYPES[stmt.memory[0].dtype][1]
    given = [*(expression(e) for e in stmt.values), *(b.name for b in stmt.memory)]
    return f"if (RG_RARE(rg_{letter}{stmt.name}({', '.join(given)}))) goto bail;"
