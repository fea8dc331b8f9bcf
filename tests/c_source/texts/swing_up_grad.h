/*
Derivative of `swing_up` in models.py: reverse mode, with respect to torque.

Written by retrograd 0.2.0 (source 2a50f9ad). Change the function, not this file, then
    retrograd grad models.py:swing_up --wrt torque --value --sig 'torque: f8[20], angle: float, speed: float, h: float' --language c -o swing_up_grad.c
*/

#ifndef SWING_UP_VALUE_AND_GRAD_H
#define SWING_UP_VALUE_AND_GRAD_H

#ifdef __cplusplus
extern "C" {
#endif

#define SWING_UP_VALUE_AND_GRAD_REFUSED 1 /* Python would raise, or sizes do not fit */

/*
  torque       f8[20]
  angle        float
  speed        float
  h            float
  value        f8, result
  grad_torque  f8[20], result

  Arrays lie by rows (C order) and do not overlap.
  Returns 0; or SWING_UP_VALUE_AND_GRAD_REFUSED, and what is in the results then means nothing.
*/
int swing_up_value_and_grad(const double *torque, double angle, double speed, double h,
    double *value, double *grad_torque);

#ifdef __cplusplus
}
#endif

#endif /* SWING_UP_VALUE_AND_GRAD_H */
