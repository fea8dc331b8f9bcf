"""Fields on grids: Maxwell's equations, a lid-driven cavity, a channel, the weather."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import Kernel, total


def fdtd_2d(steps, ex, ey, hz, fict):
    for t in range(steps):
        ey[0, :] = fict[t]
        ey[1:, :] -= 0.5 * (hz[1:, :] - hz[:-1, :])
        ex[:, 1:] -= 0.5 * (hz[:, 1:] - hz[:, :-1])
        hz[:-1, :-1] -= 0.7 * (ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1])


def fdtd_2d_loss(ex, ey, hz, fict, steps):
    fdtd_2d(steps, ex, ey, hz, fict)
    return total(ex) + total(ey) + total(hz)


def fdtd_2d_arguments(rng, n, m, steps):
    fields = [rng.normal(size=(n, m)) for _ in range(3)]
    return *fields, rng.normal(size=steps), steps


def build_up_b(b, rho, dt, u, v, dx, dy):
    b[1:-1, 1:-1] = rho * (
        1 / dt * ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx) + (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy))
        - ((u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)) ** 2
        - 2 * ((u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy) * (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx))
        - ((v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)) ** 2
    )


def pressure_poisson(sweeps, p, dx, dy, b):
    pn = np.empty_like(p)
    for _ in range(sweeps):
        pn = p.copy()
        p[1:-1, 1:-1] = (
            (pn[1:-1, 2:] + pn[1:-1, :-2]) * dy**2 + (pn[2:, 1:-1] + pn[:-2, 1:-1]) * dx**2
        ) / (2 * (dx**2 + dy**2)) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1, 1:-1]
        p[:, -1] = p[:, -2]
        p[0, :] = p[1, :]
        p[:, 0] = p[:, 1]
        p[-1, :] = 0


def cavity_flow(steps, sweeps, u, v, dt, dx, dy, p, rho, nu):
    b = np.zeros_like(u)
    for _ in range(steps):
        un = u.copy()
        vn = v.copy()
        build_up_b(b, rho, dt, u, v, dx, dy)
        pressure_poisson(sweeps, p, dx, dy, b)
        u[1:-1, 1:-1] = (
            un[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (un[1:-1, 1:-1] - un[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (un[1:-1, 1:-1] - un[:-2, 1:-1])
            - dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
            + nu
            * (
                dt / dx**2 * (un[1:-1, 2:] - 2 * un[1:-1, 1:-1] + un[1:-1, :-2])
                + dt / dy**2 * (un[2:, 1:-1] - 2 * un[1:-1, 1:-1] + un[:-2, 1:-1])
            )
        )
        v[1:-1, 1:-1] = (
            vn[1:-1, 1:-1]
            - un[1:-1, 1:-1] * dt / dx * (vn[1:-1, 1:-1] - vn[1:-1, :-2])
            - vn[1:-1, 1:-1] * dt / dy * (vn[1:-1, 1:-1] - vn[:-2, 1:-1])
            - dt / (2 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
            + nu
            * (
                dt / dx**2 * (vn[1:-1, 2:] - 2 * vn[1:-1, 1:-1] + vn[1:-1, :-2])
                + dt / dy**2 * (vn[2:, 1:-1] - 2 * vn[1:-1, 1:-1] + vn[:-2, 1:-1])
            )
        )
        u[0, :] = 0
        u[:, 0] = 0
        u[:, -1] = 0
        u[-1, :] = 1  # the lid
        v[0, :] = 0
        v[-1, :] = 0
        v[:, 0] = 0
        v[:, -1] = 0


def cavity_flow_loss(u, v, p, rho, nu, steps):
    n = u.shape[0]
    cavity_flow(steps, 10, u, v, 0.1 / n**2, 2.0 / (n - 1), 2.0 / (n - 1), p, rho, nu)
    return total(u) + total(v) + total(p)


def cavity_flow_arguments(rng, n, steps):
    u, v, p = (0.1 * rng.normal(size=(n, n)) for _ in range(3))
    return u, v, p, 1.0, 0.1, steps


def build_up_b_periodic(rho, dt, dx, dy, u, v):
    b = np.zeros_like(u)
    east, west = np.roll(u, -1, axis=1), np.roll(u, 1, axis=1)
    ahead, behind = np.roll(v, -1, axis=1), np.roll(v, 1, axis=1)
    b[1:-1] = rho * (
        1 / dt * ((east[1:-1] - west[1:-1]) / (2 * dx) + (v[2:] - v[:-2]) / (2 * dy))
        - ((east[1:-1] - west[1:-1]) / (2 * dx)) ** 2
        - 2 * ((u[2:] - u[:-2]) / (2 * dy) * (ahead[1:-1] - behind[1:-1]) / (2 * dx))
        - ((v[2:] - v[:-2]) / (2 * dy)) ** 2
    )
    return b


def pressure_poisson_periodic(sweeps, p, dx, dy, b):
    for _ in range(sweeps):
        pn = p.copy()
        east, west = np.roll(pn, -1, axis=1), np.roll(pn, 1, axis=1)
        p[1:-1] = ((east[1:-1] + west[1:-1]) * dy**2 + (pn[2:] + pn[:-2]) * dx**2) / (
            2 * (dx**2 + dy**2)
        ) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b[1:-1]
        p[-1, :] = p[-2, :]
        p[0, :] = p[1, :]


def channel_flow(sweeps, u, v, dt, dx, dy, p, rho, nu, F, enough):
    """Until the flow changes by less than ``enough``; how many steps that took."""
    udiff = 1.0
    steps = 0
    while udiff > enough:
        un = u.copy()
        vn = v.copy()
        b = build_up_b_periodic(rho, dt, dx, dy, u, v)
        pressure_poisson_periodic(sweeps, p, dx, dy, b)
        un_west, vn_west, p_west = (np.roll(a, 1, axis=1) for a in (un, vn, p))
        un_east, vn_east, p_east = (np.roll(a, -1, axis=1) for a in (un, vn, p))
        u[1:-1] = (
            un[1:-1]
            - un[1:-1] * dt / dx * (un[1:-1] - un_west[1:-1])
            - vn[1:-1] * dt / dy * (un[1:-1] - un[:-2])
            - dt / (2 * rho * dx) * (p_east[1:-1] - p_west[1:-1])
            + nu
            * (
                dt / dx**2 * (un_east[1:-1] - 2 * un[1:-1] + un_west[1:-1])
                + dt / dy**2 * (un[2:] - 2 * un[1:-1] + un[:-2])
            )
            + F * dt
        )
        v[1:-1] = (
            vn[1:-1]
            - un[1:-1] * dt / dx * (vn[1:-1] - vn_west[1:-1])
            - vn[1:-1] * dt / dy * (vn[1:-1] - vn[:-2])
            - dt / (2 * rho * dy) * (p[2:] - p[:-2])
            + nu
            * (
                dt / dx**2 * (vn_east[1:-1] - 2 * vn[1:-1] + vn_west[1:-1])
                + dt / dy**2 * (vn[2:] - 2 * vn[1:-1] + vn[:-2])
            )
        )
        u[0, :] = 0
        u[-1, :] = 0
        v[0, :] = 0
        v[-1, :] = 0
        udiff = (np.sum(u) - np.sum(un)) / np.sum(u)
        steps += 1
    return steps


def channel_flow_loss(u, v, p, rho, nu, F, enough):
    n = u.shape[0]
    channel_flow(10, u, v, 0.1 / n, 2.0 / (n - 1), 2.0 / (n - 1), p, rho, nu, F, enough)
    return total(u) + total(v) + total(p)


def channel_flow_arguments(rng, n, enough):
    u, v = 1e-4 * rng.uniform(size=(n, n)), 1e-4 * rng.normal(size=(n, n))
    return u, v, np.ones((n, n)), 1.0, 0.1, 1.0, enough


def hdiff(in_field, out_field, coeff):
    """Horizontal diffusion with limited fluxes."""
    rows, columns = out_field.shape[0], out_field.shape[1]
    lap_field = 4.0 * in_field[1 : rows + 3, 1 : columns + 3, :] - (
        in_field[2 : rows + 4, 1 : columns + 3, :]
        + in_field[0 : rows + 2, 1 : columns + 3, :]
        + in_field[1 : rows + 3, 2 : columns + 4, :]
        + in_field[1 : rows + 3, 0 : columns + 2, :]
    )
    res = lap_field[1:, 1 : columns + 1, :] - lap_field[:-1, 1 : columns + 1, :]
    flx_field = np.where(
        res
        * (in_field[2 : rows + 3, 2 : columns + 2, :] - in_field[1 : rows + 2, 2 : columns + 2, :])
        > 0,
        0,
        res,
    )
    res = lap_field[1 : rows + 1, 1:, :] - lap_field[1 : rows + 1, :-1, :]
    fly_field = np.where(
        res
        * (in_field[2 : rows + 2, 2 : columns + 3, :] - in_field[2 : rows + 2, 1 : columns + 2, :])
        > 0,
        0,
        res,
    )
    out_field[:, :, :] = in_field[2 : rows + 2, 2 : columns + 2, :] - coeff[:, :, :] * (
        flx_field[1:, :, :] - flx_field[:-1, :, :] + fly_field[:, 1:, :] - fly_field[:, :-1, :]
    )


def hdiff_loss(in_field, out_field, coeff):
    hdiff(in_field, out_field, coeff)
    return total(out_field)


def hdiff_arguments(rng, n, m, levels):
    field = rng.normal(size=(n + 4, m + 4, levels))
    return field, np.zeros((n, m, levels)), rng.uniform(size=(n, m, levels))


def vadv(utens_stage, u_stage, wcon, u_pos, utens, dtr_stage):
    """Vertical advection, implicit: a tridiagonal system in each column, by Thomas's algorithm."""
    beta_v = 0.0
    bet_m, bet_p = 0.5 * (1.0 - beta_v), 0.5 * (1.0 + beta_v)
    rows, columns, levels = utens_stage.shape
    ccol = np.zeros((rows, columns, levels), dtype=utens_stage.dtype)
    dcol = np.zeros((rows, columns, levels), dtype=utens_stage.dtype)
    data_col = np.zeros((rows, columns), dtype=utens_stage.dtype)

    for k in range(1):
        gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
        cs = gcv * bet_m
        ccol[:, :, k] = gcv * bet_p
        bcol = dtr_stage - ccol[:, :, k]
        correction = -cs * (u_stage[:, :, k + 1] - u_stage[:, :, k])
        dcol[:, :, k] = (
            dtr_stage * u_pos[:, :, k] + utens[:, :, k] + utens_stage[:, :, k] + correction
        )
        divided = 1.0 / bcol
        ccol[:, :, k] = ccol[:, :, k] * divided
        dcol[:, :, k] = dcol[:, :, k] * divided

    for k in range(1, levels - 1):
        gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
        gcv = 0.25 * (wcon[1:, :, k + 1] + wcon[:-1, :, k + 1])
        as_, cs = gav * bet_m, gcv * bet_m
        acol = gav * bet_p
        ccol[:, :, k] = gcv * bet_p
        bcol = dtr_stage - acol - ccol[:, :, k]
        correction = -as_ * (u_stage[:, :, k - 1] - u_stage[:, :, k]) - cs * (
            u_stage[:, :, k + 1] - u_stage[:, :, k]
        )
        dcol[:, :, k] = (
            dtr_stage * u_pos[:, :, k] + utens[:, :, k] + utens_stage[:, :, k] + correction
        )
        divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
        ccol[:, :, k] = ccol[:, :, k] * divided
        dcol[:, :, k] = (dcol[:, :, k] - dcol[:, :, k - 1] * acol) * divided

    for k in range(levels - 1, levels):
        gav = -0.25 * (wcon[1:, :, k] + wcon[:-1, :, k])
        as_ = gav * bet_m
        acol = gav * bet_p
        bcol = dtr_stage - acol
        correction = -as_ * (u_stage[:, :, k - 1] - u_stage[:, :, k])
        dcol[:, :, k] = (
            dtr_stage * u_pos[:, :, k] + utens[:, :, k] + utens_stage[:, :, k] + correction
        )
        divided = 1.0 / (bcol - ccol[:, :, k - 1] * acol)
        dcol[:, :, k] = (dcol[:, :, k] - dcol[:, :, k - 1] * acol) * divided

    for k in range(levels - 1, levels - 2, -1):
        datacol = dcol[:, :, k]
        data_col[:] = datacol
        utens_stage[:, :, k] = dtr_stage * (datacol - u_pos[:, :, k])

    for k in range(levels - 2, -1, -1):
        datacol = dcol[:, :, k] - ccol[:, :, k] * data_col[:, :]
        data_col[:] = datacol
        utens_stage[:, :, k] = dtr_stage * (datacol - u_pos[:, :, k])


def vadv_loss(utens_stage, u_stage, wcon, u_pos, utens, dtr_stage):
    vadv(utens_stage, u_stage, wcon, u_pos, utens, dtr_stage)
    return total(utens_stage)


def vadv_arguments(rng, n, m, levels):
    fields = [rng.normal(size=(n, m, levels)) for _ in range(4)]
    return fields[0], fields[1], rng.normal(size=(n + 1, m, levels)), *fields[2:], 3.0 / 0.8


KERNELS = (
    Kernel(
        fdtd_2d_loss,
        fdtd_2d_arguments,
        wrt=(0, 1, 2, 3),
        written=(0, 1, 2),
        sizes=((5, 6, 3), (40, 50, 30), (200, 220, 60)),
    ),
    Kernel(
        cavity_flow_loss,
        cavity_flow_arguments,
        wrt=(0, 1, 2, 3, 4),
        written=(0, 1, 2),
        sizes=((6, 2), (31, 5), (101, 10)),
    ),
    Kernel(
        channel_flow_loss,
        channel_flow_arguments,
        wrt=(0, 1, 2, 3, 4, 5),
        written=(0, 1, 2),
        sizes=((6, 0.3), (31, 0.1), (101, 0.05)),
        kinks=True,
        without_jax="a loop until something is small enough has no reverse mode",
    ),
    Kernel(
        hdiff_loss,
        hdiff_arguments,
        wrt=(0, 2),
        written=(1,),
        sizes=((4, 5, 2), (16, 16, 20), (64, 64, 30)),
        kinks=True,
    ),
    Kernel(
        vadv_loss,
        vadv_arguments,
        wrt=(0, 1, 2, 3, 4),
        written=(0,),
        sizes=((3, 4, 5), (16, 16, 20), (50, 50, 40)),
    ),
)
