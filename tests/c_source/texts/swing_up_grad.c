/*
Derivative of `swing_up` in models.py: reverse mode, with respect to torque.

Written by retrograd 0.2.0 (source 2a50f9ad). Change the function, not this file, then
    retrograd grad models.py:swing_up --wrt torque --value --sig 'torque: f8[20], angle: float, speed: float, h: float' --language c -o swing_up_grad.c
*/

#include "swing_up_grad.h"

#include <math.h>

int swing_up_value_and_grad(const double *restrict torque, double angle, double speed, double h,
    double *restrict value, double *restrict grad_torque)
{
    // forward
    const double ratio = h / 2.0;

    // for u in torque:
    double angle_2 = angle;
    double cost = 0.0;
    double speed_2 = speed;
    double tape_angle_prev[20];
    double tape_middle[20];
    double tape_speed[20];
    double tape_total[20];
    for (int k = 0; k < 20; k++) {
        const double t = torque[k];
        const double angle_prev = angle_2;
        const double middle = angle_2 + ratio * speed_2;
        const double middle_speed = speed_2 + ratio * (t - sin(angle_2) - 0.1 * speed_2);
        angle_2 += h * middle_speed;
        speed_2 += h * (t - sin(middle) - 0.1 * middle_speed);
        const double total = 1.0 + cos(angle_2);

        // tape.append((angle_prev, middle, speed, total))
        tape_angle_prev[k] = angle_prev;
        tape_middle[k] = middle;
        tape_speed[k] = speed_2;
        tape_total[k] = total;
        cost += h * (total * total + 0.1 * (speed_2 * speed_2) + 0.01 * (t * t));
    }

    // backward
    // torque_bar = np.zeros(torque.shape)
    for (int i = 0; i < 20; i++) {
        grad_torque[i] = 0.0;
    }
    double angle_3 = angle_2;
    double angle_bar = 0.0;
    double speed_bar = 0.0;
    for (int k = 0; k < 20; k++) {
        const double angle_prev_k = tape_angle_prev[19 - k];
        const double middle_k = tape_middle[19 - k];
        const double total_k = tape_total[19 - k];
        const double t = torque[19 - k];

        // `cost = cost + h * ((1 + np.cos(angle)) ** 2 + 0.1 * speed ** 2 + 0.01 * ...`
        speed_bar += 0.2 * tape_speed[19 - k] * h;
        angle_bar -= sin(angle_3) * (2.0 * total_k * h);

        // `speed = speed + h * (u - np.sin(middle) - 0.1 * middle_speed)`
        const double sub_bar = h * speed_bar;
        const double angle_bar_part = cos(middle_k) * sub_bar;

        // `angle = angle + h * middle_speed`
        const double middle_speed_bar = -0.1 * sub_bar + h * angle_bar;

        // `middle_speed = speed + h / 2 * (u - np.sin(angle) - 0.1 * speed)`
        const double sub_bar_2 = ratio * middle_speed_bar;
        speed_bar = speed_bar + middle_speed_bar - 0.1 * sub_bar_2;
        const double u_bar = 0.02 * t * h + sub_bar + sub_bar_2;

        // `middle = angle + h / 2 * speed`
        angle_bar = angle_bar - cos(angle_prev_k) * sub_bar_2 - angle_bar_part;
        speed_bar -= ratio * angle_bar_part;

        // torque_bar[k] = u_bar
        grad_torque[19 - k] = u_bar;
        angle_3 = angle_prev_k;
    }
    *value = cost;

    return 0;
}
