"""Runge-Kutta steps of Lotka-Volterra on Python floats, the right-hand side a helper."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

from typing import Any

from benchmarks.problem import Problem, peer, sized


def velocity(x, y, a, b, c, d):
    return a * x - b * x * y, c * x * y - d * y


def final(x, y, a, b, c, d, h, steps):
    for _ in range(steps):
        k1, l1 = velocity(x, y, a, b, c, d)
        k2, l2 = velocity(x + h / 2 * k1, y + h / 2 * l1, a, b, c, d)
        k3, l3 = velocity(x + h / 2 * k2, y + h / 2 * l2, a, b, c, d)
        k4, l4 = velocity(x + h * k3, y + h * l3, a, b, c, d)
        x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
        y = y + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)
    return x * x + y * y


def arguments(seed: int, steps: int) -> tuple[Any, ...]:
    shift = 0.01 * (seed % 10)
    return 1.0 + shift, 0.5, 1.5, 1.0, 1.0 - shift, 3.0, 0.005, steps


def hand_written(
    x: float, y: float, a: float, b: float, c: float, d: float, h: float, steps: int
) -> tuple[float, tuple[float, ...]]:
    """The states are kept, the stages worked out again; everything inline."""
    half, sixth = h / 2, h / 6
    states = []
    for _ in range(steps):
        states.append((x, y))
        xy = x * y
        k1, l1 = a * x - b * xy, c * xy - d * y
        u, v = x + half * k1, y + half * l1
        uv = u * v
        k2, l2 = a * u - b * uv, c * uv - d * v
        u, v = x + half * k2, y + half * l2
        uv = u * v
        k3, l3 = a * u - b * uv, c * uv - d * v
        u, v = x + h * k3, y + h * l3
        uv = u * v
        x += sixth * (k1 + 2 * (k2 + k3) + a * u - b * uv)
        y += sixth * (l1 + 2 * (l2 + l3) + c * uv - d * v)
    value = x * x + y * y
    x_bar, y_bar = 2 * x, 2 * y
    a_bar = b_bar = c_bar = d_bar = 0.0
    for x, y in reversed(states):
        xy = x * y
        u2, v2 = x + half * (a * x - b * xy), y + half * (c * xy - d * y)
        uv2 = u2 * v2
        u3, v3 = x + half * (a * u2 - b * uv2), y + half * (c * uv2 - d * v2)
        uv3 = u3 * v3
        u4, v4 = x + h * (a * u3 - b * uv3), y + h * (c * uv3 - d * v3)
        k4_bar, l4_bar = sixth * x_bar, sixth * y_bar
        m = c * l4_bar - b * k4_bar
        u4_bar, v4_bar = a * k4_bar + v4 * m, u4 * m - d * l4_bar
        k3_bar, l3_bar = 2 * k4_bar + h * u4_bar, 2 * l4_bar + h * v4_bar
        m = c * l3_bar - b * k3_bar
        u3_bar, v3_bar = a * k3_bar + v3 * m, u3 * m - d * l3_bar
        k2_bar, l2_bar = 2 * k4_bar + half * u3_bar, 2 * l4_bar + half * v3_bar
        m = c * l2_bar - b * k2_bar
        u2_bar, v2_bar = a * k2_bar + v2 * m, u2 * m - d * l2_bar
        k1_bar, l1_bar = k4_bar + half * u2_bar, l4_bar + half * v2_bar
        m = c * l1_bar - b * k1_bar
        a_bar += k1_bar * x + k2_bar * u2 + k3_bar * u3 + k4_bar * u4
        b_bar += k1_bar * xy + k2_bar * uv2 + k3_bar * uv3 + k4_bar * u4 * v4
        c_bar += l1_bar * xy + l2_bar * uv2 + l3_bar * uv3 + l4_bar * u4 * v4
        d_bar += l1_bar * y + l2_bar * v2 + l3_bar * v3 + l4_bar * v4
        x_bar += u4_bar + u3_bar + u2_bar + a * k1_bar + y * m
        y_bar += v4_bar + v3_bar + v2_bar + x * m - d * l1_bar
    return value, (x_bar, y_bar, a_bar, -b_bar, c_bar, -d_bar)


def in_autograd() -> Any:
    return final


def in_jax(step_made: Any = lambda step: step) -> Any:
    """Idiomatic: the loop is a scan."""
    lax = peer("jax.lax")

    def scanned(x: Any, y: Any, a: Any, b: Any, c: Any, d: Any, h: Any, steps: int) -> Any:
        def step(state: Any, _: None) -> Any:
            x, y = state
            k1, l1 = velocity(x, y, a, b, c, d)
            k2, l2 = velocity(x + h / 2 * k1, y + h / 2 * l1, a, b, c, d)
            k3, l3 = velocity(x + h / 2 * k2, y + h / 2 * l2, a, b, c, d)
            k4, l4 = velocity(x + h * k3, y + h * l3, a, b, c, d)
            x = x + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            return (x, y + h / 6 * (l1 + 2 * l2 + 2 * l3 + l4)), None

        (x, y), _ = lax.scan(step_made(step), (x, y), None, length=steps)
        return x * x + y * y

    return scanned


def jax_expert() -> Any:
    """The stages of a step are worked out again."""
    return in_jax(peer("jax").checkpoint)


def in_torch() -> Any:
    return final


PROBLEMS = sized(
    Problem(
        name="rk4",
        function=final,
        wrt=(0, 1, 2, 3, 4, 5),
        arguments=arguments,
        hand_written=hand_written,
        in_autograd=in_autograd,
        in_jax=in_jax,
        in_torch=in_torch,
        jax_expert=jax_expert,
        serial=True,
    ),
    tiny=10,
    small=100,
    medium=1_000,
    large=10_000,
)
