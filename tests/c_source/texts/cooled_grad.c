/*
Derivative of `cooled` in models.py: reverse mode, with respect to u and k.

Written by retrograd 0.2.0 (source 2a769538). Change the function, not this file, then
    retrograd grad models.py:cooled --wrt u,k --sig 'u: f8[n], k: float, steps: int' --language c -o cooled_grad.c
*/

#include "cooled_grad.h"

#include <math.h>
#include <stdint.h>

size_t cooled_grad_work(int64_t steps, int64_t n)
{
    const int64_t most_steps = steps > 0 ? steps : 0;
    return (size_t)(2*n + most_steps*(n - 2) - 2);
}

int cooled_grad(const double *restrict u, double k, int64_t steps, int64_t n,
    double *restrict grad_u, double *restrict grad_k, double *work)
{
    const int64_t most_steps = steps > 0 ? steps : 0;
    double *const u_2 = work;
    double *const tape_total = u_2 + n;
    double *const add_bar = tape_total + most_steps*(n - 2);

    if (n < 2) return COOLED_GRAD_REFUSED;

    // forward
    // u = u.copy()
    for (int64_t i = 0; i < n; i++) {
        u_2[i] = u[i];
    }
    for (int64_t i = 0; i < steps; i++) {
        // total = u[2:] - 2 * u[1:-1] + u[:-2]
        for (int64_t j = 0; j < n - 2; j++) {
            tape_total[i*(n - 2) + j] = u_2[j + 2] - 2.0 * u_2[j + 1] + u_2[j];
        }

        // tape.append(total)
        // u[1:-1] += k * total
        for (int64_t j = 0; j < n - 2; j++) {
            u_2[j + 1] += k * tape_total[i*(n - 2) + j];
        }
    }

    // backward
    // `return np.sum(u ** 2)`
    // u_bar = 2.0 * u
    for (int64_t i = 0; i < n; i++) {
        grad_u[i] = 2.0 * u_2[i];
    }
    double k_bar = 0.0;
    for (int64_t i = steps - 1; i >= 0; i--) {
        // `u[1:-1] += k * (u[2:] - 2 * u[1:-1] + u[:-2])`
        // mul_bar = u_bar[1:-1]
        // add_bar = k * mul_bar
        for (int64_t j = 0; j < n - 2; j++) {
            add_bar[j] = k * grad_u[j + 1];
        }

        // k_bar += np.sum(mul_bar * total)
        double sum = 0.0;
        for (int64_t j = 0; j < n - 2; j++) {
            sum += grad_u[j + 1] * tape_total[i*(n - 2) + j];
        }
        k_bar += sum;

        // u_bar[:-2] += add_bar
        for (int64_t j = 0; j < n - 2; j++) {
            grad_u[j] += add_bar[j];
        }

        // u_bar[1:-1] += -2.0 * add_bar
        for (int64_t j = 0; j < n - 2; j++) {
            grad_u[j + 1] -= 2.0 * add_bar[j];
        }

        // u_bar[2:] += add_bar
        for (int64_t j = 0; j < n - 2; j++) {
            grad_u[j + 2] += add_bar[j];
        }
    }
    *grad_k = k_bar;

    return 0;
}
