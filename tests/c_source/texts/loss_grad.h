/*
Derivative of `loss` in models.py: reverse mode, with respect to w.

Written by retrograd 0.2.0 (source 745de696). Change the function, not this file, then
    retrograd grad models.py:loss --wrt w --sig 'w: f8[d], x: f8[n, d], y: f8[n]' --language c -o loss_grad.c
*/

#ifndef LOSS_GRAD_H
#define LOSS_GRAD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define LOSS_GRAD_REFUSED 1 /* Python would raise, or sizes do not fit */

size_t loss_grad_work(int64_t n);

/*
  w       f8[d]
  x       f8[n, d]
  y       f8[n]
  d       a size
  n       a size
  grad_w  f8[d], result
  work    room for loss_grad_work(...) elements, which hold nothing between calls

  Arrays lie by rows (C order) and do not overlap.
  Returns 0; or LOSS_GRAD_REFUSED, and what is in the results then means nothing.
*/
int loss_grad(const double *w, const double *x, const double *y, int64_t d, int64_t n,
    double *grad_w, double *work);

#ifdef __cplusplus
}
#endif

#endif /* LOSS_GRAD_H */
