/*
Derivative of `log_likelihood` in models.py: reverse mode, with respect to q.

Written by retrograd 0.2.0 (source 888bcf2a). Change the function, not this file, then
    retrograd grad models.py:log_likelihood --wrt q --value --sig 'q: float, ys: f8[10, 1]' --language c -o kalman_grad.c
*/

#ifndef LOG_LIKELIHOOD_VALUE_AND_GRAD_H
#define LOG_LIKELIHOOD_VALUE_AND_GRAD_H

#ifdef __cplusplus
extern "C" {
#endif

#define LOG_LIKELIHOOD_VALUE_AND_GRAD_REFUSED 1 /* Python would raise, or sizes do not fit */

/*
  q       float
  ys      f8[10, 1]
  value   f8, result
  grad_q  f8, result

  Arrays lie by rows (C order) and do not overlap.
  Returns 0; or LOG_LIKELIHOOD_VALUE_AND_GRAD_REFUSED, and what is in the results then means nothing.
*/
int log_likelihood_value_and_grad(double q, const double *ys, double *value, double *grad_q);

#ifdef __cplusplus
}
#endif

#endif /* LOG_LIKELIHOOD_VALUE_AND_GRAD_H */
