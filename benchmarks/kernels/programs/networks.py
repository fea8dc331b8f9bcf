"""Layers of networks by loops of slices: convolutions, pooling, normalisation, attention's softmax."""
# mypy: allow-untyped-defs, allow-untyped-calls

from __future__ import annotations

import numpy as np

from benchmarks.kernels.kernel import Kernel, total


def relu(x):
    return np.maximum(x, 0)


def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)


def softmax_loss(x):
    return total(softmax(x) ** 2)


def softmax_arguments(rng, *shape):
    return (rng.normal(size=shape),)


def mlp(x, w1, b1, w2, b2, w3, b3):
    x = relu(x @ w1 + b1)
    x = relu(x @ w2 + b2)
    return softmax(x @ w3 + b3)


def mlp_loss(x, w1, b1, w2, b2, w3, b3):
    return total(mlp(x, w1, b1, w2, b2, w3, b3) ** 2)


def mlp_arguments(rng, n, inputs, width, middle, classes):
    made = [rng.normal(size=(n, inputs))]
    for fan_in, fan_out in ((inputs, width), (width, middle), (middle, classes)):
        made += [rng.normal(size=(fan_in, fan_out)) / np.sqrt(fan_in), rng.normal(size=fan_out)]
    return tuple(made)


def conv2d(x, weights):
    """Pixel by pixel: a window, times all filters, summed."""
    K = weights.shape[0]
    N, H_out, W_out = x.shape[0], x.shape[1] - K + 1, x.shape[2] - K + 1
    output = np.empty((N, H_out, W_out, weights.shape[3]), dtype=x.dtype)
    for i in range(H_out):
        for j in range(W_out):
            output[:, i, j, :] = np.sum(
                x[:, i : i + K, j : j + K, :, np.newaxis] * weights[np.newaxis, :, :, :],
                axis=(1, 2, 3),
            )
    return output


def conv2d_bias(x, weights, bias):
    return conv2d(x, weights) + bias


def conv2d_bias_loss(x, weights, bias):
    return total(conv2d_bias(x, weights, bias))


def conv2d_bias_arguments(rng, n, size, c_in, c_out, k):
    x = rng.normal(size=(n, size, size, c_in))
    return x, rng.normal(size=(k, k, c_in, c_out)), rng.normal(size=c_out)


def maxpool2d(x):
    output = np.empty((x.shape[0], x.shape[1] // 2, x.shape[2] // 2, x.shape[3]), dtype=x.dtype)
    for i in range(x.shape[1] // 2):
        for j in range(x.shape[2] // 2):
            output[:, i, j, :] = np.max(x[:, 2 * i : 2 * i + 2, 2 * j : 2 * j + 2, :], axis=(1, 2))
    return output


def lenet5(x, conv1, conv1bias, conv2, conv2bias, fc1w, fc1b, fc2w, fc2b, fc3w, fc3b):
    x = relu(conv2d(x, conv1) + conv1bias)
    x = maxpool2d(x)
    x = relu(conv2d(x, conv2) + conv2bias)
    x = maxpool2d(x)
    x = np.reshape(x, (x.shape[0], -1))
    x = relu(x @ fc1w + fc1b)
    x = relu(x @ fc2w + fc2b)
    return x @ fc3w + fc3b


def lenet5_loss(x, conv1, conv1bias, conv2, conv2bias, fc1w, fc1b, fc2w, fc2b, fc3w, fc3b):
    return total(lenet5(x, conv1, conv1bias, conv2, conv2bias, fc1w, fc1b, fc2w, fc2b, fc3w, fc3b))


def lenet5_arguments(rng, n, size, c1, c2, width):
    flat = c2 * (((size - 4) // 2 - 4) // 2) ** 2
    made = [rng.normal(size=(n, size, size, 1))]
    for shape in ((5, 5, 1, c1), (5, 5, c1, c2), (flat, width), (width, width), (width, 10)):
        fan_in = int(np.prod(shape[:-1]))
        made += [rng.normal(size=shape) / np.sqrt(fan_in), 0.1 * rng.normal(size=shape[-1])]
    return tuple(made)


def batchnorm2d(x, eps=1e-5):
    mean = np.mean(x, axis=0, keepdims=True)
    std = np.std(x, axis=0, keepdims=True)
    return (x - mean) / np.sqrt(std + eps)


def resnet_basicblock(x, conv1, conv2, conv3):
    padded = np.zeros((x.shape[0], x.shape[1] + 2, x.shape[2] + 2, conv1.shape[3]))
    padded[:, 1:-1, 1:-1, :] = conv2d(x, conv1)
    y = relu(batchnorm2d(padded))
    y = relu(batchnorm2d(conv2d(y, conv2)))
    y = batchnorm2d(conv2d(y, conv3))
    return relu(y + x)


def resnet_basicblock_loss(x, conv1, conv2, conv3):
    return total(resnet_basicblock(x, conv1, conv2, conv3))


def resnet_basicblock_arguments(rng, n, size, c1, c2):
    shapes = (1, 1, c1, c2), (3, 3, c2, c2), (1, 1, c2, c1)
    weights = (rng.normal(size=shape) / np.sqrt(np.prod(shape[:-1])) for shape in shapes)
    return rng.normal(size=(n, size, size, c1)), *weights


KERNELS = (
    Kernel(
        softmax_loss,
        softmax_arguments,
        wrt=(0,),
        sizes=((2, 2, 3, 4), (4, 4, 16, 16), (16, 8, 64, 64)),
    ),
    Kernel(
        mlp_loss,
        mlp_arguments,
        wrt=(0, 1, 2, 3, 4, 5, 6),
        sizes=((3, 4, 6, 5, 3), (8, 24, 48, 32, 10), (64, 256, 256, 128, 10)),
    ),
    Kernel(
        conv2d_bias_loss,
        conv2d_bias_arguments,
        wrt=(0, 1, 2),
        sizes=((2, 5, 2, 3, 2), (4, 14, 3, 8, 3), (8, 32, 3, 16, 5)),
    ),
    Kernel(
        lenet5_loss,
        lenet5_arguments,
        wrt=tuple(range(11)),
        sizes=((2, 16, 2, 3, 5), (4, 20, 6, 16, 60), (16, 28, 6, 16, 100)),
        kinks=True,
    ),
    Kernel(
        resnet_basicblock_loss,
        resnet_basicblock_arguments,
        wrt=(0, 1, 2, 3),
        sizes=((3, 4, 3, 2), (4, 10, 16, 4), (8, 14, 64, 16)),
        kinks=True,
    ),
)
