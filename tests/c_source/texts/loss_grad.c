/*
Derivative of `loss` in models.py: reverse mode, with respect to w.

Written by retrograd 0.2.0 (source 745de696). Change the function, not this file, then
    retrograd grad models.py:loss --wrt w --sig 'w: f8[d], x: f8[n, d], y: f8[n]' --language c -o loss_grad.c
*/

#include "loss_grad.h"

#include <math.h>
#include <stdint.h>

/* y = a x: y has m elements, x has n */
static void matvec(int64_t m, int64_t n, const double *a, const double *x, double *restrict y)
{
    for (int64_t i = 0; i < m; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++) sum += a[i*n + j] * x[j];
        y[i] = sum;
    }
}

/* y = a' x: y has m elements, x has n */
static void matvec_t(int64_t m, int64_t n, const double *a, const double *x, double *restrict y)
{
    for (int64_t i = 0; i < m; i++) {
        double sum = 0;
        for (int64_t j = 0; j < n; j++) sum += a[j*m + i] * x[j];
        y[i] = sum;
    }
}

size_t loss_grad_work(int64_t n)
{
    return (size_t)(3*n);
}

int loss_grad(const double *restrict w, const double *restrict x, const double *restrict y,
    int64_t d, int64_t n, double *restrict grad_w, double *work)
{
    double *const product = work;
    double *const p = product + n;
    double *const t = p + n;

    // forward
    // p = 1 / (1 + np.exp(-(x @ w)))
    matvec(n, d, x, w, product);
    for (int64_t i = 0; i < n; i++) {
        p[i] = 1.0 / (1.0 + exp(-product[i]));
    }

    // backward
    // return x.T @ ((p - y) / y.size)
    for (int64_t i = 0; i < n; i++) {
        t[i] = (p[i] - y[i]) / (double)n;
    }
    matvec_t(d, n, x, t, grad_w);

    return 0;
}
