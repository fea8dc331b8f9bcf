/*
Derivative of `cooled` in models.py: reverse mode, with respect to u and k.

Written by retrograd 0.2.0 (source 2a769538). Change the function, not this file, then
    retrograd grad models.py:cooled --wrt u,k --sig 'u: f8[n], k: float, steps: int' --language c -o cooled_grad.c
*/

#ifndef COOLED_GRAD_H
#define COOLED_GRAD_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define COOLED_GRAD_REFUSED 1 /* Python would raise, or sizes do not fit */

size_t cooled_grad_work(int64_t steps, int64_t n);

/*
  u       f8[n]
  k       float
  steps   int
  n       a size
  grad_u  f8[n], result
  grad_k  f8, result
  work    room for cooled_grad_work(...) elements, which hold nothing between calls

  Arrays lie by rows (C order) and do not overlap.
  Returns 0; or COOLED_GRAD_REFUSED, and what is in the results then means nothing.
*/
int cooled_grad(const double *u, double k, int64_t steps, int64_t n, double *grad_u,
    double *grad_k, double *work);

#ifdef __cplusplus
}
#endif

#endif /* COOLED_GRAD_H */
