"""Fields on grids. The channel's loop runs until nothing changes: there is no reverse mode for that."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import jax.numpy as jnp
from jax import lax


def fdtd_2d(ex, ey, hz, fict, steps):
    def step(t, fields):
        ex, ey, hz = fields
        ey = ey.at[0, :].set(fict[t])
        ey = ey.at[1:, :].add(-0.5 * (hz[1:, :] - hz[:-1, :]))
        ex = ex.at[:, 1:].add(-0.5 * (hz[:, 1:] - hz[:, :-1]))
        curl = ex[:-1, 1:] - ex[:-1, :-1] + ey[1:, :-1] - ey[:-1, :-1]
        return ex, ey, hz.at[:-1, :-1].add(-0.7 * curl)

    ex, ey, hz = lax.fori_loop(0, steps, step, (ex, ey, hz))
    return jnp.sum(ex) + jnp.sum(ey) + jnp.sum(hz)


def source(rho, dt, u, v, dx, dy):
    u_x = (u[1:-1, 2:] - u[1:-1, :-2]) / (2 * dx)
    v_y = (v[2:, 1:-1] - v[:-2, 1:-1]) / (2 * dy)
    u_y = (u[2:, 1:-1] - u[:-2, 1:-1]) / (2 * dy)
    v_x = (v[1:-1, 2:] - v[1:-1, :-2]) / (2 * dx)
    return rho * (1 / dt * (u_x + v_y) - u_x**2 - 2 * u_y * v_x - v_y**2)


def advanced(f, u, v, dt, dx, dy, nu):
    inner = f[1:-1, 1:-1]
    return (
        inner
        - u[1:-1, 1:-1] * dt / dx * (inner - f[1:-1, :-2])
        - v[1:-1, 1:-1] * dt / dy * (inner - f[:-2, 1:-1])
        + nu * dt / dx**2 * (f[1:-1, 2:] - 2 * inner + f[1:-1, :-2])
        + nu * dt / dy**2 * (f[2:, 1:-1] - 2 * inner + f[:-2, 1:-1])
    )


def cavity_flow(u, v, p, rho, nu, steps):
    n = u.shape[0]
    dt, dx, dy = 0.1 / n**2, 2.0 / (n - 1), 2.0 / (n - 1)

    def relax(b):
        def sweep(_, p):
            new = ((p[1:-1, 2:] + p[1:-1, :-2]) * dy**2 + (p[2:, 1:-1] + p[:-2, 1:-1]) * dx**2) / (
                2 * (dx**2 + dy**2)
            ) - dx**2 * dy**2 / (2 * (dx**2 + dy**2)) * b
            p = p.at[1:-1, 1:-1].set(new)
            p = p.at[:, -1].set(p[:, -2])
            p = p.at[0, :].set(p[1, :])
            p = p.at[:, 0].set(p[:, 1])
            return p.at[-1, :].set(0.0)

        return sweep

    def step(_, fields):
        u, v, p = fields
        p = lax.fori_loop(0, 10, relax(source(rho, dt, u, v, dx, dy)), p)
        push_u = dt / (2 * rho * dx) * (p[1:-1, 2:] - p[1:-1, :-2])
        push_v = dt / (2 * rho * dy) * (p[2:, 1:-1] - p[:-2, 1:-1])
        inner_u = advanced(u, u, v, dt, dx, dy, nu) - push_u
        inner_v = advanced(v, u, v, dt, dx, dy, nu) - push_v
        u = jnp.zeros_like(u).at[1:-1, 1:-1].set(inner_u).at[-1, :].set(1.0)
        return u, jnp.zeros_like(v).at[1:-1, 1:-1].set(inner_v), p

    u, v, p = lax.fori_loop(0, steps, step, (u, v, p))
    return jnp.sum(u) + jnp.sum(v) + jnp.sum(p)


def limited(flux, gradient):
    return jnp.where(flux * gradient > 0, 0.0, flux)


def hdiff(in_field, out_field, coeff):
    f = in_field
    lap = 4.0 * f[1:-1, 1:-1] - (f[2:, 1:-1] + f[:-2, 1:-1] + f[1:-1, 2:] + f[1:-1, :-2])
    inner = f[2:-2, 2:-2]
    flx = limited(lap[1:, 1:-1] - lap[:-1, 1:-1], f[2:-1, 2:-2] - f[1:-2, 2:-2])
    fly = limited(lap[1:-1, 1:] - lap[1:-1, :-1], f[2:-2, 2:-1] - f[2:-2, 1:-2])
    return jnp.sum(inner - coeff * (flx[1:] - flx[:-1] + fly[:, 1:] - fly[:, :-1]))


def vadv(utens_stage, u_stage, wcon, u_pos, utens, dtr_stage):
    """The levels are the leading axis of what is scanned."""
    levels = utens_stage.shape[2]
    w = jnp.moveaxis(0.25 * (wcon[1:] + wcon[:-1]), 2, 0)
    u = jnp.moveaxis(u_stage, 2, 0)
    right = jnp.moveaxis(dtr_stage * u_pos + utens + utens_stage, 2, 0)
    jump = u[1:] - u[:-1]
    zero = jnp.zeros_like(u[:1])
    upper = jnp.concatenate([0.5 * w[1:], zero])
    lower = jnp.concatenate([zero, -0.5 * w[1:]])
    right = right - jnp.concatenate([0.5 * w[1:] * jump, zero])
    right = right - jnp.concatenate([zero, 0.5 * w[1:] * jump])

    def ahead(carry, row):
        c, d = carry
        upper, lower, right = row
        divided = 1.0 / (dtr_stage - lower - upper - c * lower)
        made = (upper * divided, (right - d * lower) * divided)
        return made, made

    _, (c, d) = lax.scan(ahead, (zero[0], zero[0]), (upper, lower, right))

    def back(x, cd):
        x = cd[1] - cd[0] * x
        return x, x

    _, x = lax.scan(back, zero[0], (c, d), reverse=True, length=levels)
    return jnp.sum(dtr_stage * (jnp.moveaxis(x, 0, 2) - u_pos))
