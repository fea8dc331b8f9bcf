"""The same matrices as somebody has them from JAX who knows their structure."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

from benchmarks.problem import peer

__all__ = ["of_bands", "of_blocks", "of_observations", "of_rows", "whole"]


def modules() -> tuple[Any, Any]:
    jax = peer("jax")
    jax.config.update("jax_enable_x64", True)
    return jax, jax.numpy


def whole(function: Any, wrt: Any, kind: str, static: tuple[int, ...] = ()) -> Any:
    """``jacfwd``, ``jacrev`` or ``hessian`` of the function, jitted."""
    jax, _ = modules()
    return jax.jit(getattr(jax, kind)(function, wrt), static_argnums=static)


def of_observations() -> Any:
    """Two rows by eleven, three and one columns for each observation: backward, over all of them."""
    jax, np = modules()

    def error(camera, point, weight, feature):
        rotation, moved = camera[:3], point - camera[3:6]
        angle = np.sqrt(np.sum(rotation**2))
        axis = rotation / angle
        along = np.dot(axis, moved) * (1 - np.cos(angle))
        seen = moved * np.cos(angle) + np.cross(axis, moved) * np.sin(angle) + axis * along
        flat = seen[:2] / seen[2]
        square = np.sum(flat**2)
        distortion = 1 + camera[9] * square + camera[10] * square**2
        return weight * (flat * distortion * camera[6] + camera[7:9] - feature)

    each = jax.vmap(jax.jacrev(error, (0, 1, 2)))

    @jax.jit
    def blocks(cameras, points, weights, seen_by, seen, features):
        found = each(cameras[seen_by], points[seen], weights, features)
        return (*found, -2 * weights)

    return blocks


def of_bands(function: Any, width: int) -> Any:
    """Every ``width`` columns together."""
    jax, np = modules()

    @jax.jit
    def bands(x):
        seeds = np.stack([(np.arange(x.size) % width == k) * 1.0 for k in range(width)])
        return jax.vmap(lambda seed: jax.jvp(function, (x,), (seed,))[1])(seeds)

    return bands


def of_rows(function: Any) -> Any:
    """The Jacobian of one row, over all rows."""
    jax, _ = modules()
    return jax.jit(jax.vmap(jax.jacfwd(function)))


def of_blocks(function: Any, wrt: tuple[int, ...], axes: tuple[Any, ...]) -> Any:
    """The derivative of one result by its own parameters, over all results."""
    jax, _ = modules()
    return jax.jit(jax.vmap(jax.grad(function, wrt), axes))
