"""The Hessians of many points at once, in a function that is differentiated itself."""
# differentiate: roughness wrt points

import numpy as np

import retrograd as rg


def height(p):
    return np.sin(p[0]) * p[1] ** 2 + np.exp(0.1 * p[0] * p[1])


def roughness(points):
    curvatures = rg.vmap(rg.hessian(height))(points)
    return np.sum(curvatures**2)


def arguments():
    return (np.random.default_rng(5).normal(size=(4, 2)),)


# output
"""Derivative of `roughness` in curvature_of_examples.py: reverse mode, with respect to
points.

For arguments points: f8[points_0, points_1].

Written by retrograd 0.2.0 (source 94edeae1). Change the function, not this file.
"""

import numpy as np
from retrograd import runtime as rt


def height_vmap_fwd(points):
    columns_each, columns_each_saved = columns_each_fwd(points, points)
    saved = (columns_each_saved,)
    return columns_each, saved


def columns_each_fwd(push_0_p, x):
    examples = push_0_p.shape[0]
    part = x.shape[1]
    part_2 = x.shape[1:]
    made = []
    tape = []
    for k in range(part):
        direction = np.zeros(part)
        direction[k] = 1.0
        (
            height_grad_tangent_each,
            height_grad_tangent_each_saved,
        ) = height_grad_tangent_each_fwd(push_0_p, np.reshape(direction, part_2))
        made.append(height_grad_tangent_each)
        tape.append(height_grad_tangent_each_saved)
    stack_made = np.stack(made, axis=-1)
    saved = stack_made, made, push_0_p.shape, part, tape, x.shape
    return np.reshape(stack_made, (examples, push_0_p.shape[1], part)), saved


def height_grad_tangent_each_fwd(p, p_dot):
    p_part = p[:, 0]
    p_0_dot = p_dot[0]
    sin = np.sin(p_part)
    cos = np.cos(p_part)
    product = cos * p_0_dot
    p_part_2 = p[:, 1]
    p_1_dot = p_dot[1]
    power = p_part_2**2
    product_2 = 2.0 * p_part_2
    product_3 = product_2 * p_1_dot
    product_4 = 0.1 * p_part
    product_dot = 0.1 * p_0_dot
    total = product_dot * p_part_2 + product_4 * p_1_dot
    exp = np.exp(product_4 * p_part_2)
    product_5 = exp * total
    product_6 = product_dot * exp
    getitem_bar_dot = product_6 + product_4 * product_5
    product_7 = exp * p_1_dot
    mul_bar_dot = product_5 * p_part_2 + product_7
    getitem_bar_dot_2 = 0.1 * mul_bar_dot
    product_dot_2 = 2 * p_1_dot
    getitem_bar_dot = getitem_bar_dot + (product_dot_2 * sin + product_2 * product)
    p_bar_dot = np.zeros(p.shape)
    p_bar_dot[:, 1] = getitem_bar_dot
    product_8 = sin * p_0_dot
    getitem_bar_dot = getitem_bar_dot_2 + (cos * product_3 - product_8 * power)
    p_bar_dot[:, 0] = getitem_bar_dot
    saved = (
        cos,
        product_3,
        product_8,
        power,
        p_0_dot,
        product_2,
        product,
        product_dot_2,
        p_1_dot,
        product_5,
        p_part_2,
        product_4,
        product_dot,
        total,
        exp,
        product_7,
        product_6,
        p.shape,
        sin,
    )
    return p_bar_dot, saved


def height_vmap_rev(saved, result):
    (columns_each_saved,) = saved
    # `curvatures = rg.vmap(rg.hessian(height))(points)`
    points_bar, points_bar_2 = columns_each_rev(columns_each_saved, result)
    return points_bar + points_bar_2


def columns_each_rev(saved, result):
    stack_made, made, push_0_p_shape, _, tape, x_shape = saved
    # `return np.reshape(np.stack(made, axis=-1), np.shape(made[0]) + np.shape(x))`
    stack_bar = rt.reshape_like(result, like=stack_made)
    made_bar = rt.unstack_like(stack_bar, like=made, axis=-1)
    push_0_p_bar = np.zeros(push_0_p_shape)
    for made_bar_part, height_grad_tangent_each_saved in zip(made_bar, tape):
        # `made.append(push(np.reshape(direction, np.shape(x))))`
        push_0_p_bar_2 = height_grad_tangent_each_rev(
            height_grad_tangent_each_saved, made_bar_part
        )
        push_0_p_bar += push_0_p_bar_2
    zeros = np.zeros(x_shape)
    return push_0_p_bar, zeros


def height_grad_tangent_each_rev(saved, result):
    (
        cos,
        product,
        product_2,
        power,
        p_0_dot,
        product_3,
        product_4,
        product_dot,
        p_1_dot,
        product_5,
        p_part,
        product_6,
        product_dot_2,
        total,
        exp,
        product_7,
        product_8,
        p_shape,
        sin,
    ) = saved
    # `return np.sin(p[0]) * p[1] ** 2 + np.exp(0.1 * p[0] * p[1])`
    getitem_bar_dot_bar = result[:, 0]
    sin_bar_part = getitem_bar_dot_bar * power * p_0_dot
    getitem_bar_dot_bar_2 = result[:, 1]
    mul_bar_dot_bar = 0.1 * getitem_bar_dot_bar
    mul_bar = mul_bar_dot_bar * p_part + product_6 * getitem_bar_dot_bar_2
    exp_bar = mul_bar_dot_bar * p_1_dot + product_dot_2 * getitem_bar_dot_bar_2
    mul_bar_2 = exp * (exp_bar + mul_bar * total)
    mul_bar_3 = getitem_bar_dot_bar_2 * product_5 + product_7 * mul_bar
    getitem_bar = product_5 * mul_bar_dot_bar + product_8 * mul_bar
    mul_bar_4 = getitem_bar_dot_bar_2 * product_4 + cos * getitem_bar_dot_bar * p_1_dot
    getitem_bar_2 = getitem_bar + product_6 * mul_bar_2 + 2.0 * mul_bar_4
    p_bar = np.zeros(p_shape)
    p_bar[:, 1] = getitem_bar_2 - product_3 * (product_2 * getitem_bar_dot_bar)
    cos_bar_part = product_3 * getitem_bar_dot_bar_2 * p_0_dot
    getitem_bar_part = sin * (getitem_bar_dot_bar * product + cos_bar_part)
    getitem_bar_3 = 0.1 * (mul_bar_3 + mul_bar_2 * p_part) - getitem_bar_part
    getitem_bar_part_2 = cos * (product_dot * getitem_bar_dot_bar_2 - sin_bar_part)
    p_bar[:, 0] = getitem_bar_3 + getitem_bar_part_2
    return p_bar


def roughness_grad(points):
    # forward
    curvatures, height_vmap_saved = height_vmap_fwd(points)
    # backward
    return height_vmap_rev(height_vmap_saved, 2.0 * curvatures)
