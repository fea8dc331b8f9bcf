/*
Derivative of `log_likelihood` in models.py: reverse mode, with respect to q.

Written by retrograd 0.2.0 (source 888bcf2a). Change the function, not this file, then
    retrograd grad models.py:log_likelihood --wrt q --value --sig 'q: float, ys: f8[10, 1]' --language c -o kalman_grad.c
*/

#include "kalman_grad.h"

#include <math.h>

static void swap_rows(int m, double *a, double *b)
{
    for (int j = 0; j < m; j++) {
        const double kept = a[j];
        a[j] = b[j];
        b[j] = kept;
    }
}

/* In place, P a = L U by Gaussian elimination with row pivoting: the ones on the diagonal of L are left out, and row
   k was exchanged with row rows[k].  Returns 1 if a is singular. */
static int lu_factor(int n, double *a, int *rows)
{
    for (int k = 0; k < n; k++) {
        int row = k;
        for (int i = k + 1; i < n; i++) {
            if (fabs(a[i*n + k]) > fabs(a[row*n + k])) row = i;
        }
        if (a[row*n + k] == 0) return 1;
        rows[k] = row;
        if (row != k) swap_rows(n, &a[k*n], &a[row*n]);
        for (int i = k + 1; i < n; i++) {
            a[i*n + k] /= a[k*n + k];
            for (int j = k + 1; j < n; j++) a[i*n + j] -= a[i*n + k] * a[k*n + j];
        }
    }
    return 0;
}

/* In place, x = a^-1 x for the m columns of x, by what lu_factor made of a. */
static void lu_solve(int n, int m, const double *lu, const int *rows, double *x)
{
    for (int k = 0; k < n; k++) {
        if (rows[k] != k) swap_rows(m, &x[k*m], &x[rows[k]*m]);
    }
    for (int i = 1; i < n; i++) {
        for (int k = 0; k < i; k++) {
            for (int j = 0; j < m; j++) x[i*m + j] -= lu[i*n + k] * x[k*m + j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            for (int j = 0; j < m; j++) x[i*m + j] -= lu[i*n + k] * x[k*m + j];
        }
        for (int j = 0; j < m; j++) x[i*m + j] /= lu[i*n + i];
    }
}

/* c = a b: c is m by n, and k is summed over */
static void matmul(int m, int k, int n, const double *a, const double *b, double *restrict c)
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++) sum += a[i*k + p] * b[p*n + j];
            c[i*n + j] = sum;
        }
    }
}

/* c = a b': c is m by n, and k is summed over */
static void matmul_nt(int m, int k, int n, const double *a, const double *b, double *restrict c)
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++) sum += a[i*k + p] * b[j*k + p];
            c[i*n + j] = sum;
        }
    }
}

/* c = a' b: c is m by n, and k is summed over */
static void matmul_tn(int m, int k, int n, const double *a, const double *b, double *restrict c)
{
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int p = 0; p < k; p++) sum += a[p*m + i] * b[p*n + j];
            c[i*n + j] = sum;
        }
    }
}

/* y = a x: y has m elements, x has n */
static void matvec(int m, int n, const double *a, const double *x, double *restrict y)
{
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += a[i*n + j] * x[j];
        y[i] = sum;
    }
}

/* y = a' x: y has m elements, x has n */
static void matvec_t(int m, int n, const double *a, const double *x, double *restrict y)
{
    for (int i = 0; i < m; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += a[j*m + i] * x[j];
        y[i] = sum;
    }
}

int log_likelihood_value_and_grad(double q, const double *restrict ys, double *restrict value,
    double *restrict grad_q)
{
    // forward
    // F = np.array([[1.0, 0.1], [0.0, 1.0]])
    static const double F[4] = {1.0, 0.1, 0.0, 1.0};

    // H = np.array([[1.0, 0.0]])
    static const double H[2] = {1.0, 0.0};

    // m = np.zeros(2)
    static const double m[2] = {0};

    // eye = np.eye(2)
    static const double eye[4] = {1.0, 0.0, 0.0, 1.0};

    // P = eye
    // for y in ys:
    double P[4];
    double m_2[2];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            P[2*i + j] = eye[2*i + j];
        }
    }
    for (int i = 0; i < 2; i++) {
        m_2[i] = m[i];
    }
    double total = 0.0;
    double tape_v[10];
    double tape_S[10];
    double tape_product[20];
    double tape_inv_S[10];
    double tape_K[20];
    double tape_K_S[20];
    double tape_solve_S[10];
    for (int k = 0; k < 10; k++) {
        // m = F @ m
        double m_3[2];
        matvec(2, 2, F, m_2, m_3);

        // P = F @ P @ F.T + q * eye
        double product[4];
        matmul(2, 2, 2, F, P, product);
        double product_2[4];
        matmul_nt(2, 2, 2, product, F, product_2);
        double P_2[4];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                P_2[2*i + j] = product_2[2*i + j] + q * eye[2*i + j];
            }
        }

        // v = y - H @ m
        double product_3[1];
        matvec(1, 2, H, m_3, product_3);
        double v[1];
        v[0] = ys[k] - product_3[0];

        // S = H @ P @ H.T + 0.5 * np.eye(1)
        double product_4[2];
        matmul(1, 2, 2, H, P_2, product_4);
        double product_5[1];
        matmul_nt(1, 2, 1, product_4, H, product_5);
        double S[1];
        S[0] = product_5[0] + 0.5 * 1.0;

        // product = P @ H.T
        matmul_nt(2, 2, 1, P_2, H, &tape_product[2*k]);

        // inv_S = np.linalg.inv(S)
        double inv_S[1];
        inv_S[0] = 1.0;
        double lu[1];
        int rows[1];
        lu[0] = S[0];
        if (lu_factor(1, lu, rows)) return LOG_LIKELIHOOD_VALUE_AND_GRAD_REFUSED;
        lu_solve(1, 1, lu, rows, inv_S);

        // K = product @ inv_S
        matmul(2, 1, 1, &tape_product[2*k], inv_S, &tape_K[2*k]);

        // m = m + K @ v
        double product_6[2];
        matvec(2, 1, &tape_K[2*k], v, product_6);
        for (int i = 0; i < 2; i++) {
            m_2[i] = m_3[i] + product_6[i];
        }

        // K_S = K @ S
        matmul(2, 1, 1, &tape_K[2*k], S, &tape_K_S[2*k]);

        // P = P - K_S @ K.T
        double product_7[4];
        matmul_nt(2, 1, 2, &tape_K_S[2*k], &tape_K[2*k], product_7);
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                P[2*i + j] = P_2[2*i + j] - product_7[2*i + j];
            }
        }

        // solve_S = np.linalg.solve(S, v)
        double solve_S[1];
        solve_S[0] = v[0];
        lu_solve(1, 1, lu, rows, solve_S);

        // tape.append((v, S, product, inv_S, K, K_S, solve_S))
        tape_v[k] = v[0];
        tape_S[k] = S[0];
        tape_inv_S[k] = inv_S[0];
        tape_solve_S[k] = solve_S[0];

        // total -= 0.5 * (v @ solve_S + np.log(np.linalg.det(S)))
        double sum = 0.0;
        sum += v[0] * solve_S[0];
        double sign_2 = 1.0;
        double size = 1.0;
        if (rows[0] != 0) {
            sign_2 = -sign_2;
        }
        size *= lu[0];
        total -= 0.5 * (sum + log(sign_2 * size));
    }

    // backward
    // m_bar = np.zeros(m.shape)
    static const double m_bar[2] = {0};

    // P_bar = np.zeros(P.shape)
    static const double P_bar[4] = {0};
    double P_bar_2[4];
    double m_bar_2[2];
    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 2; j++) {
            P_bar_2[2*i + j] = P_bar[2*i + j];
        }
    }
    for (int i = 0; i < 2; i++) {
        m_bar_2[i] = m_bar[i];
    }
    double q_bar = 0.0;
    for (int k = 9; k >= 0; k--) {
        // `total -= 0.5 * (v @ np.linalg.solve(S, v) + np.log(np.linalg.det(S)))`
        // S_bar_part = np.linalg.solve(S.T, v * -0.5)
        double S_bar_part[1];
        S_bar_part[0] = tape_v[k] * -0.5;
        double lu[1];
        int rows[1];
        lu[0] = tape_S[k];
        if (lu_factor(1, lu, rows)) return LOG_LIKELIHOOD_VALUE_AND_GRAD_REFUSED;
        lu_solve(1, 1, lu, rows, S_bar_part);

        // `P = P - K @ S @ K.T`
        // S_bar_part_2 = P_bar @ K
        double S_bar_part_2[2];
        matmul(2, 2, 1, P_bar_2, &tape_K[2*k], S_bar_part_2);

        // S_bar = -0.5 * inv_S.T + (-S_bar_part)[:, None] * solve_S - K.T @ S_bar_part_2
        double t[1];
        t[0] = -S_bar_part[0];
        double product[1];
        matmul_tn(1, 2, 1, &tape_K[2*k], S_bar_part_2, product);
        double S_bar[1];
        S_bar[0] = -0.5 * tape_inv_S[k] + t[0] * tape_solve_S[k] - product[0];

        // `m = m + K @ v`
        // v_bar = -0.5 * solve_S + S_bar_part + K.T @ m_bar
        double product_2[1];
        matvec_t(1, 2, &tape_K[2*k], m_bar_2, product_2);
        double v_bar[1];
        v_bar[0] = -0.5 * tape_solve_S[k] + S_bar_part[0] + product_2[0];

        // K_bar = (-(K_S.T @ P_bar)).T - S_bar_part_2 @ S.T + m_bar[:, None] * v
        double product_3[2];
        matmul_tn(1, 2, 2, &tape_K_S[2*k], P_bar_2, product_3);
        double t_2[2];
        for (int i = 0; i < 2; i++) {
            t_2[i] = -product_3[i];
        }
        double product_4[2];
        matmul_nt(2, 1, 1, S_bar_part_2, &tape_S[k], product_4);
        double K_bar[2];
        for (int i = 0; i < 2; i++) {
            K_bar[i] = t_2[i] - product_4[i] + m_bar_2[i] * tape_v[k];
        }

        // `K = P @ H.T @ np.linalg.inv(S)`
        // S_bar = S_bar - inv_S.T @ (product.T @ K_bar @ inv_S.T)
        double product_5[1];
        matmul_tn(1, 2, 1, &tape_product[2*k], K_bar, product_5);
        double product_6[1];
        matmul_nt(1, 1, 1, product_5, &tape_inv_S[k], product_6);
        double product_7[1];
        matmul_tn(1, 1, 1, &tape_inv_S[k], product_6, product_7);
        double S_bar_2[1];
        S_bar_2[0] = S_bar[0] - product_7[0];

        // `S = H @ P @ H.T + 0.5 * np.eye(1)`
        // P_bar = P_bar + K_bar @ inv_S.T @ H + H.T @ (S_bar @ H)
        double product_8[2];
        matmul_nt(2, 1, 1, K_bar, &tape_inv_S[k], product_8);
        double product_9[4];
        matmul(2, 1, 2, product_8, H, product_9);
        double product_10[2];
        matmul(1, 1, 2, S_bar_2, H, product_10);
        double product_11[4];
        matmul_tn(2, 1, 2, H, product_10, product_11);
        double P_bar_3[4];
        for (int i = 0; i < 2; i++) {
            for (int j = 0; j < 2; j++) {
                P_bar_3[2*i + j] = P_bar_2[2*i + j] + product_9[2*i + j] + product_11[2*i + j];
            }
        }

        // `v = y - H @ m`
        // m_bar = m_bar - H.T @ v_bar
        double product_12[2];
        matvec_t(2, 1, H, v_bar, product_12);
        double m_bar_3[2];
        for (int i = 0; i < 2; i++) {
            m_bar_3[i] = m_bar_2[i] - product_12[i];
        }

        // `P = F @ P @ F.T + q * np.eye(2)`
        // q_bar += np.trace(P_bar)
        double sum = 0.0;
        for (int i = 0; i < 2; i++) {
            sum += P_bar_3[3*i];
        }
        q_bar += sum;

        // P_bar = F.T @ (P_bar @ F)
        double product_13[4];
        matmul(2, 2, 2, P_bar_3, F, product_13);
        matmul_tn(2, 2, 2, F, product_13, P_bar_2);

        // `m = F @ m`
        // m_bar = F.T @ m_bar
        matvec_t(2, 2, F, m_bar_3, m_bar_2);
    }
    *value = total;
    *grad_q = q_bar;

    return 0;
}
