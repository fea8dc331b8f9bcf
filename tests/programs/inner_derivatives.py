"""Functions of an array of three that call derivatives of others: made there, in the module, in closures and containers."""

from __future__ import annotations

import functools

import numpy as np

import retrograd as rg

__all__ = ["PROGRAMS", "net"]


def pot(q, k=2.0):
    return np.sum(np.sin(k * q) * q**2) + q[0] * q[1]


def loss(p, x):
    return np.sum((np.tanh(x * p["w"]) + p["b"]) ** 2)


@rg.differentiate
def marked(q):
    return np.sum(np.cos(q) * q)


def bent(q):
    return np.sin(q) * q[0]


class Model:
    def __init__(self, k):
        self.k = k

    def energy(self, q):
        return np.sum(np.sin(self.k * q) * q)


model = Model(1.3)
force = rg.grad(pot)
both = rg.value_and_grad(pot, wrt=("q", "k"))
second = rg.grad(lambda s: rg.grad(lambda t: np.sin(t * t))(s))
of_object = rg.grad(model.energy)
matrix, curvature = rg.jacobian(bent), rg.hessian(pot)
given = functools.partial(force, k=3.0)
TABLE = {"a": force, "b": rg.grad(lambda q: np.sum(q**3))}

PROGRAMS = {}


def program(f):
    PROGRAMS[f.__name__] = f
    return f


# -- where the derivative is made ------------------------------------------------------------------


@program
def made_there(x):
    return np.sum(rg.grad(pot)(x) ** 2)


@program
def made_in_the_module(x):
    return np.sum(force(x) ** 2)


@program
def by_name(x):
    return np.sum(rg.grad(pot)(q=x, k=x[0]) ** 2)


@program
def second_argument(x):
    return rg.grad(pot, wrt="k")(x, 1.5) * x[2]


@program
def two_arguments(x):
    g, h = rg.grad(pot, (0, 1))(x, x[1])
    return np.sum(g * g) * h


@program
def value_too(x):
    v, g = rg.value_and_grad(pot)(x)
    return v * np.sum(g)


@program
def value_of_the_module(x):
    v, (g, h) = both(x, 1.1)
    return v + np.sum(g) * h


@program
def of_a_lambda(x):
    return np.sum(rg.grad(lambda y: np.sum(np.exp(y) * x))(x * 2) ** 2)


@program
def of_an_inner_function(x):
    a = x[0] * x[1]

    def f(y):
        z = y * a
        return np.sum(z**3)

    return np.sum(rg.grad(f)(x) * x)


@program
def attribute_of_a_decorated_one(x):
    return np.sum(marked.grad(x) ** 2) + np.sum(rg.grad(marked)(x))


@program
def methods_of_a_decorated_one(x):
    return marked.jvp((x,), (x,))[1] + np.sum(marked.hvp((x,), x) ** 2)


@program
def in_a_container(x):
    return np.sum(TABLE["a"](x) * TABLE["b"](x))


@program
def partial_of_it(x):
    return np.sum(given(x) ** 2) + np.sum(functools.partial(rg.grad(pot), k=x[0])(x))


@program
def of_a_method(x):
    return np.sum(of_object(x) ** 2) + np.sum(rg.grad(model.energy)(x))


@program
def handed_on(x):
    def apply(g, y):
        return np.sum(g(y) ** 2)

    return apply(rg.grad(pot), x) + apply(force, x)


@program
def made_by_a_helper(x):
    def step(f, y):
        return y - 0.1 * rg.grad(f)(y)

    y = step(lambda z: np.sum(z**4 * x), step(pot, x))
    return np.sum(y * y)


# -- loops, branches, containers --------------------------------------------------------------------


@program
def leapfrog(x):
    q, p = x, np.ones_like(x)
    for _ in range(3):
        p = p - 0.05 * force(q)
        q = q + 0.1 * p
        p = p - 0.05 * force(q)
    return np.sum(q * q) + np.sum(p)


@program
def one_of_two(x):
    g = rg.grad(pot)(x) if x[0] > 0 else rg.grad(marked)(x)
    return np.sum(g**3)


@program
def in_a_comprehension(x):
    return sum(rg.grad(lambda t: t**3 * x[0])(float(k)) for k in range(3))


@program
def of_a_dict(x):
    g = rg.grad(loss)({"w": x, "b": x[0]}, np.array([1.0, 2.0, 3.0]))
    return np.sum(g["w"] ** 2) + g["b"]


@program
def part_of_a_dict(x):
    g = rg.grad(loss, "p['w']")({"w": x, "b": x[0]}, x)
    return np.sum(g * g)


@program
def two_steps_of_descent(x):
    p = {"w": x, "b": x[0]}
    for _ in range(2):
        g = rg.grad(loss)(p, x)
        p = {k: p[k] - 0.1 * g[k] for k in p}
    return loss(p, x + 1)


@program
def writes_in_it(x):
    def f(y):
        z = np.zeros(3)
        for i in range(3):
            z[i] = y[i] ** 2 * x[i]
        return np.sum(z * z)

    return np.sum(rg.grad(f)(x) ** 2)


# -- other transformations, higher orders -----------------------------------------------------------


@program
def tangent(x):
    v, d = rg.jvp(pot, (x,), (np.ones(3) * x[0],))
    return v * d


@program
def tangent_of_one_argument(x):
    v, d = rg.jvp(pot, (x, 2.0), (None, 1.0))
    return v * d * x[0]


@program
def tangent_along_a_whole_number(x):
    v, d = rg.jvp(lambda t: np.sin(t) * x, (x[0],), (1,))
    return np.sum(v * d)


@program
def cotangent(x):
    v, pull = rg.vjp(bent, x)
    (g,) = pull(v * x)
    return np.sum(g * g)


@program
def cotangents_in_another_order(x):
    v, pull = rg.vjp(pot, x, 1.5, wrt=(1, 0))
    h, g = pull(x[0])
    return np.sum(g * g) * h + v


@program
def written_to_before_the_cotangent(x):
    y = x.copy()
    v, pull = rg.vjp(lambda y: y**3, y)
    y[0] = 5.0
    (g,) = pull(x)
    z = x * 2
    w, push = rg.linearize(lambda z: z**3, z)
    z *= y
    return np.sum(g * g) + np.sum(v * y) + np.sum(push(y) * z) + w[1]


@program
def linear_map(x):
    v, push = rg.linearize(bent, x)
    return np.sum(push(x * x) * push(v))


@program
def hessian_times_vector(x):
    return np.sum(rg.hvp(pot, (x,), np.ones(3) * x) ** 2)


@program
def whole_jacobian(x):
    return np.sum(rg.jacobian(bent)(x) ** 2) + np.sum(matrix(x) @ x)


@program
def whole_hessian(x):
    return np.sum(rg.hessian(pot)(x) ** 2) + np.sum(curvature(x) @ x)


@program
def jacobian_of_a_jacobian(x):
    return np.sum(rg.jacobian(rg.jacobian(bent))(x) ** 2)


@program
def newton(x):
    for _ in range(2):
        x = x - 0.1 * np.linalg.solve(rg.hessian(pot)(x) + 20 * np.eye(3), rg.grad(pot)(x))
    return np.sum(x**2)


@program
def third_order(x):
    return rg.grad(rg.grad(rg.grad(lambda t: np.sin(t * x[1]))))(x[0]) + second(x[0]) * x[1]


@program
def forward_over_reverse(x):
    return np.sum(rg.jvp(rg.grad(pot), (x,), (x,))[1] ** 2)


@program
def reverse_over_forward(x):
    return np.sum(rg.grad(lambda y: rg.jvp(pot, (y,), (x,))[1])(x) ** 2)


@program
def forward_over_forward(x):
    def along(y):
        return rg.jvp(pot, (y,), (x,))[1]

    return rg.jvp(along, (x,), (x,))[1]


@program
def residual_of_a_network(x):
    def net(t):
        return np.sum(np.tanh(x * t + 0.1) * x)

    total = 0.0
    for t in np.array([0.1, 0.5, 0.9]):
        total = total + (rg.grad(rg.grad(net))(t) + rg.grad(net)(t) * net(t)) ** 2
    return total


# -- of methods, and of what has a derivative of its own ---------------------------------------------


class Net:
    def __init__(self):
        self.w = np.array([0.3, 0.2, 0.1])

    @rg.differentiate
    def energy(self, x):
        return np.sum(np.tanh(x * self.w) ** 2)

    @rg.differentiate(wrt="x")
    def scaled(self, k, x):
        return k * self.energy(x) + np.sum(x**3)

    def force(self, x):
        return rg.grad(self.scaled)(2.0, x) * x + self.energy.grad(x)


net = Net()


@program
def of_decorated_methods(x):
    g = net.energy.grad(x) + net.scaled.grad(x[0], x)
    return np.sum(g * g) + net.energy.jvp((x,), (g,))[1] + np.sum(net.scaled.hvp((x[0], x), x))


@program
def in_a_method(x):
    return net.force(x)[0] if x[1] < 0 else np.sum(x)


@rg.custom_gradient
def cube(x):
    return x**3


@cube.vjp
def cube_vjp(c, z, x):
    return c * 3 * x**2


@program
def of_a_custom_derivative(x):
    return np.sum(rg.grad(lambda y: np.sum(cube(y) * x))(x) ** 2)


@program
def implicit_layer(x):
    z = rg.root(rg.grad(lambda z: np.sum((z - x) ** 4 / 4 + z * z)), np.ones(3) * 0.1)
    return np.sum(z**2)


@program
def written_into(x):
    q, p = x.copy(), np.ones(3)
    for _ in range(3):
        p -= 0.05 * rg.grad(pot)(q)
        q += 0.1 * p
    g = rg.grad(pot)(q)
    g *= 2.0
    g[0] = x[1]
    return np.sum(g * p)


@program
def written_between(x):
    buffer = np.zeros(3)
    for i in range(3):
        buffer[i] = x[i] ** 2
    g = rg.grad(lambda y: np.sum(y**2 * buffer))(x)
    buffer[0] = 7.0
    return np.sum(g * rg.grad(lambda y: np.sum(y**2 * buffer))(x))


@program
def containers_along(x):
    def f(p):
        return {"u": p["a"] * p["b"] ** 2, "v": (p["a"] * x, np.sum(p["b"] * x))}

    v, d = rg.jvp(f, ({"a": x[0], "b": x[1]},), ({"b": x[2], "a": None},))
    w, pull = rg.vjp(f, {"a": x[0], "b": x[1]})
    (g,) = pull({"v": (x, 1.0), "u": x[1]})
    return v["u"] * d["u"] + np.sum(v["v"][0] * d["v"][0]) + d["v"][1] * w["u"] + g["a"] * g["b"]


@program
def starred(x):
    def f(*a, **k):
        return a[0] * a[1] ** 2 * k["c"]

    g = rg.grad(f, 1)(x[0], x[1], c=x[2])
    return g + rg.grad(f, "c")(x[0], x[1], c=x[2]) + sum(rg.grad(f, (0, 1))(x[0], x[1], c=2.0))


@program
def lagrangian(x):
    def action(q, v):
        return 0.5 * v * v * x[0] - np.cos(q) * x[1]

    q, v = 0.3, 0.1
    for _ in range(2):
        inertia = rg.grad(rg.grad(action, 1), 1)(q, v)
        a = (rg.grad(action)(q, v) - rg.grad(rg.grad(action, 1), 0)(q, v) * v) / inertia
        q, v = q + 0.1 * v, v + 0.1 * a
    return q * v


@program
def bound_to_another_in_a_loop(x):
    w, pull = rg.vjp(bent, x)
    s = np.sum(pull(w)[0])
    for _ in range(2):
        w, pull = rg.vjp(lambda y: y * x, x)
        s = s + np.sum(pull(w)[0])
    return s


@program
def of_functions_in_a_list(x):
    slopes = [rg.grad(lambda t, f=f: f(t) * x[0]) for f in (np.sin, np.cos)]
    return sum(g(x[1]) for g in slopes)
