"""Fourier transforms, in C: by the factors of a length, and of a long prime by a convolution."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from ..loop_ir.calls import Fourier
from ..loop_ir.ir import Kernel, walk

__all__ = ["fourier_call", "fourier_texts"]

TEXT = r"""
typedef double complex rg_c;
#define RG_PRIME 61 /* the longest factor that is summed up directly */

/* w[k] = exp(sign 2 pi i k / n), by products of a few. */
static void rg_turns(int64_t n, int sign, rg_c *w)
{
    int64_t step = 1;
    while (step * step < n) step *= 2;
    const double angle = sign * 6.283185307179586476925286766559 / (double)n;
    for (int64_t k = 0; k < step && k < n; k++) w[k] = rg_complex(cos(angle * (double)k), sin(angle * (double)k));
    for (int64_t first = step; first < n; first += step) {
        const rg_c far = rg_complex(cos(angle * (double)first), sin(angle * (double)first));
        for (int64_t k = 0; k < step && first + k < n; k++) w[first + k] = rg_multiply_c16(far, w[k]);
    }
}

static int64_t rg_factor(int64_t n)
{
    if (n % 4 == 0) return 4;
    for (int64_t p = 2; p * p <= n; p++) if (n % p == 0) return p;
    return n;
}

static int rg_prime_fft(int64_t n, int64_t stride, const rg_c *x, rg_c *y, int sign);

/* The transforms of p parts come together, p being odd: what is alike in two turns is computed once. */
static inline __attribute__((always_inline)) void rg_odd_parts(int64_t p, int64_t m, int64_t step, rg_c *y, const rg_c *w)
{
    rg_c plus[RG_PRIME], minus[RG_PRIME];
    const int64_t half = p / 2;
    for (int64_t k = 0; k < m; k++) {
        const rg_c first = y[k];
        rg_c total = first;
        for (int64_t r = 1; r <= half; r++) {
            const rg_c a = rg_multiply_c16(y[r*m + k], w[r * k * step]);
            const rg_c b = rg_multiply_c16(y[(p - r)*m + k], w[(p - r) * k * step]);
            plus[r] = a + b;
            minus[r] = a - b;
            total += plus[r];
        }
        y[k] = total;
        for (int64_t q = 1; q <= half; q++) {
            double c = __real__ first, d = __imag__ first, e = 0, f = 0;
            for (int64_t r = 1, at = q; r <= half; r++, at = at + q >= p ? at + q - p : at + q) {
                const double cosine = __real__ w[at * m * step], sine = __imag__ w[at * m * step];
                c += cosine * __real__ plus[r];
                d += cosine * __imag__ plus[r];
                e += sine * __real__ minus[r];
                f += sine * __imag__ minus[r];
            }
            y[q*m + k] = rg_complex(c - f, d + e);
            y[(p - q)*m + k] = rg_complex(c + f, d - e);
        }
    }
}

/* y = the transform of n elements of x, a stride apart; w has `all` turns, of which every (all / n)-th counts. */
static int rg_parts_fft(int64_t n, int64_t stride, const rg_c *x, rg_c *y, const rg_c *w, int64_t all, int sign)
{
    if (n == 1) { y[0] = x[0]; return 0; }
    if (n == 2) {
        y[0] = x[0] + x[stride];
        y[1] = x[0] - x[stride];
        return 0;
    }
    if (n == 4) {
        const rg_c a = x[0] + x[2 * stride], b = x[0] - x[2 * stride];
        const rg_c c = x[stride] + x[3 * stride], d = x[stride] - x[3 * stride];
        const rg_c turned = sign < 0 ? rg_complex(__imag__ d, -__real__ d) : rg_complex(-__imag__ d, __real__ d);
        y[0] = a + c;
        y[1] = b + turned;
        y[2] = a - c;
        y[3] = b - turned;
        return 0;
    }
    const int64_t p = rg_factor(n), m = n / p, step = all / n;
    if (p > RG_PRIME && m == 1) return rg_prime_fft(n, stride, x, y, sign);
    for (int64_t r = 0; r < p; r++)
        if (rg_parts_fft(m, stride * p, x + r * stride, y + r * m, w, all, sign)) return 1;
    if (p == 2) {
        for (int64_t k = 0; k < m; k++) {
            const rg_c a = y[k], b = rg_multiply_c16(y[m + k], w[k * step]);
            y[k] = a + b;
            y[m + k] = a - b;
        }
        return 0;
    }
    if (p == 4) {
        for (int64_t k = 0; k < m; k++) {
            const rg_c a = y[k], b = rg_multiply_c16(y[m + k], w[k * step]);
            const rg_c c = rg_multiply_c16(y[2*m + k], w[2 * k * step]), d = rg_multiply_c16(y[3*m + k], w[3 * k * step]);
            const rg_c e = a + c, f = a - c, g = b + d, h = b - d;
            const rg_c turned = sign < 0 ? rg_complex(__imag__ h, -__real__ h) : rg_complex(-__imag__ h, __real__ h);
            y[k] = e + g;
            y[m + k] = f + turned;
            y[2*m + k] = e - g;
            y[3*m + k] = f - turned;
        }
        return 0;
    }
    if (p > RG_PRIME) { /* by the transforms of columns, each of a prime length */
        rg_c *column = malloc(2 * (size_t)p * sizeof *column);
        if (!column) return 1;
        for (int64_t k = 0; k < m; k++) {
            for (int64_t r = 0; r < p; r++) column[r] = rg_multiply_c16(y[r*m + k], w[r * k * step]);
            if (rg_prime_fft(p, 1, column, column + p, sign)) { free(column); return 1; }
            for (int64_t q = 0; q < p; q++) y[q*m + k] = column[p + q];
        }
        free(column);
        return 0;
    }
    if (p == 3) rg_odd_parts(3, m, step, y, w);
    else if (p == 5) rg_odd_parts(5, m, step, y, w);
    else rg_odd_parts(p, m, step, y, w);
    return 0;
}

/* A prime length, as a convolution of a length that is a power of two. */
static int rg_prime_fft(int64_t n, int64_t stride, const rg_c *x, rg_c *y, int sign)
{
    int64_t m = 1;
    while (m < 2 * n - 1) m *= 2;
    rg_c *room = malloc((size_t)(5 * m + 3 * n) * sizeof *room);
    if (!room) return 1;
    rg_c *w = room, *a = w + m, *b = a + m, *fa = b + m, *fb = fa + m, *chirp = fb + m, *turns = chirp + n;
    rg_turns(2 * n, sign, turns);
    for (int64_t k = 0; k < n; k++) chirp[k] = turns[k * k % (2 * n)];
    for (int64_t k = 0; k < m; k++) a[k] = b[k] = 0;
    for (int64_t k = 0; k < n; k++) a[k] = rg_multiply_c16(x[k * stride], chirp[k]);
    for (int64_t k = 0; k < n; k++) b[k] = b[k ? m - k : 0] = rg_conjugate_c16(chirp[k]);
    rg_turns(m, -1, w);
    rg_parts_fft(m, 1, a, fa, w, m, -1);
    rg_parts_fft(m, 1, b, fb, w, m, -1);
    for (int64_t k = 0; k < m; k++) fa[k] = rg_conjugate_c16(rg_multiply_c16(fa[k], fb[k]));
    rg_parts_fft(m, 1, fa, a, w, m, -1);
    for (int64_t k = 0; k < n; k++) y[k] = rg_multiply_c16(rg_conjugate_c16(a[k]) / (double)m, chirp[k]);
    free(room);
    return 0;
}

/* In place, the transforms of `count` rows of n elements. */
static int rg_fft(int64_t count, int64_t n, int64_t sign, rg_c *x)
{
    if (n < 1) return 1;
    rg_c *w = malloc(2 * (size_t)n * sizeof *w), *row = w + n;
    int failed = !w;
    if (w) rg_turns(n, (int)sign, w);
    for (int64_t k = 0; k < count && !failed; k++) {
        memcpy(row, x + k * n, (size_t)n * sizeof *row);
        failed = rg_parts_fft(n, 1, row, x + k * n, w, n, (int)sign);
    }
    free(w);
    return failed;
}

"""


def fourier_texts(kernel: Kernel) -> Iterator[str]:
    """The C of transforms, if a kernel has any."""
    bodies = [kernel.body, *(function.body for function in kernel.functions)]
    if any(isinstance(s, Fourier) for body in bodies for s in walk(body)):
        yield TEXT


def fourier_call(stmt: Fourier, expression: Callable[[Any], str]) -> str:
    given = [*(expression(e) for e in stmt.values), str(stmt.sign), stmt.memory[0].name]
    return f"if (RG_RARE(rg_fft({', '.join(given)}))) goto bail;"
