"""Layers, images and graphs, and the gradients that a person would write."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def softmax_regression(w, b, x, y):  # type: ignore[no-untyped-def]
    logits = x @ w + b
    shifted = logits - np.max(logits, axis=1, keepdims=True)
    log_p = shifted - np.log(np.sum(np.exp(shifted), axis=1, keepdims=True))
    return -np.mean(log_p[np.arange(len(y)), y])


def softmax_regression_by_hand(w: Array, b: Array, x: Array, y: Array) -> Array:
    logits = x @ w + b
    e = np.exp(logits - np.max(logits, axis=1, keepdims=True))
    p = e / np.sum(e, axis=1, keepdims=True)
    p[np.arange(len(y)), y] -= 1
    p /= len(y)
    return x.T @ p, p.sum(axis=0)


SOFTMAX_REGRESSION = "w: f8[d, k], b: f8[k], x: f8[n, d], y: i8[n]"


def mlp(layers, x, y):  # type: ignore[no-untyped-def]
    h = x
    for w, b in layers[:-1]:
        h = np.tanh(h @ w + b)
    w, b = layers[-1]
    r = h @ w + b - y
    return 0.5 * np.sum(r**2)


def mlp_by_hand(layers: Array, x: Array, y: Array) -> Array:
    h = [x]
    for w, b in layers[:-1]:
        h.append(np.tanh(h[-1] @ w + b))
    w, b = layers[-1]
    z_bar = h[-1] @ w + b - y
    layers_bar = [(h[-1].T @ z_bar, z_bar.sum(axis=0))]
    for k in reversed(range(len(layers) - 1)):
        z_bar = (z_bar @ layers[k + 1][0].T) * (1 - h[k + 1] ** 2)
        layers_bar.insert(0, (h[k].T @ z_bar, z_bar.sum(axis=0)))
    return layers_bar


MLP = "layers: [(f8[d, h], f8[h]), (f8[h, h], f8[h]), (f8[h, m], f8[m])], x: f8[n, d], y: f8[n, m]"


def layer_norm(x, gain, bias, y):  # type: ignore[no-untyped-def]
    centred = x - np.mean(x, axis=1, keepdims=True)
    sigma = np.sqrt(np.mean(centred**2, axis=1, keepdims=True) + 1e-5)
    z = centred / sigma
    return 0.5 * np.sum((gain * z + bias - y) ** 2)


def layer_norm_by_hand(x: Array, gain: Array, bias: Array, y: Array) -> Array:
    centred = x - np.mean(x, axis=1, keepdims=True)
    sigma = np.sqrt(np.mean(centred**2, axis=1, keepdims=True) + 1e-5)
    z = centred / sigma
    out_bar = gain * z + bias - y
    z_bar = gain * out_bar
    x_bar = z_bar - np.mean(z_bar, axis=1, keepdims=True)
    x_bar = (x_bar - z * np.mean(z_bar * z, axis=1, keepdims=True)) / sigma
    return x_bar, np.sum(out_bar * z, axis=0), np.sum(out_bar, axis=0)


LAYER_NORM = "x: f8[n, d], gain: f8[d], bias: f8[d], y: f8[n, d]"


def attention(q, k, v, y):  # type: ignore[no-untyped-def]
    scores = q @ k.T / np.sqrt(q.shape[1])
    e = np.exp(scores)
    a = e / np.sum(e, axis=1, keepdims=True)
    return 0.5 * np.sum((a @ v - y) ** 2)


def attention_by_hand(q: Array, k: Array, v: Array, y: Array) -> Array:
    root = np.sqrt(q.shape[1])
    e = np.exp(q @ k.T / root)
    a = e / np.sum(e, axis=1, keepdims=True)
    out_bar = a @ v - y
    a_bar = out_bar @ v.T
    scores_bar = a * (a_bar - np.sum(a * a_bar, axis=1, keepdims=True)) / root
    return scores_bar @ k, scores_bar.T @ q, a.T @ out_bar


ATTENTION = "q: f8[n, d], k: f8[m, d], v: f8[m, h], y: f8[n, h]"


def total_variation(u, image, lam):  # type: ignore[no-untyped-def]
    dx = u[:, 1:] - u[:, :-1]
    dy = u[1:, :] - u[:-1, :]
    smooth = np.sum(np.sqrt(dx**2 + 1e-3)) + np.sum(np.sqrt(dy**2 + 1e-3))
    return 0.5 * np.sum((u - image) ** 2) + lam * smooth


def total_variation_by_hand(u: Array, image: Array, lam: float) -> Array:
    dx = u[:, 1:] - u[:, :-1]
    dy = u[1:, :] - u[:-1, :]
    u_bar = u - image
    dx_bar = lam * dx / np.sqrt(dx**2 + 1e-3)
    dy_bar = lam * dy / np.sqrt(dy**2 + 1e-3)
    u_bar[:, 1:] += dx_bar
    u_bar[:, :-1] -= dx_bar
    u_bar[1:, :] += dy_bar
    u_bar[:-1, :] -= dy_bar
    return u_bar


TOTAL_VARIATION = "u: f8[n, m], image: f8[n, m], lam: float"


def diffusion_on_graph(w, A, x, y):  # type: ignore[no-untyped-def]
    h = x
    for _ in range(3):
        h = np.tanh(A @ h @ w)
    return np.sum((h - y) ** 2)


def diffusion_on_graph_by_hand(w: Array, A: Array, x: Array, y: Array) -> Array:
    h = x
    tape = []
    for _ in range(3):
        Ah = A @ h
        h = np.tanh(Ah @ w)
        tape.append((Ah, h))
    w_bar = np.zeros(w.shape)
    h_bar = 2 * (h - y)
    for Ah, h in reversed(tape):
        z_bar = h_bar * (1 - h**2)
        w_bar += Ah.T @ z_bar
        h_bar = A.T @ z_bar @ w.T
    return w_bar


DIFFUSION_ON_GRAPH = "w: f8[d, d], A: f8[n, n], x: f8[n, d], y: f8[n, d]"
