"""One call's numbers, as models hold them: [B, T, H, D], log gates, l2-normalised keys, 64-byte aligned."""

from dataclasses import dataclass

import numpy as np


def aligned(shape, alignment=64):
    """An uninitialised float32 array that starts at exactly a multiple of `alignment` bytes."""
    count = int(np.prod(shape))
    raw = np.empty(count * 4 + 128, np.uint8)
    offset = -raw.ctypes.data % 64 + alignment % 64
    return raw[offset : offset + count * 4].view(np.float32).reshape(shape)


def aligned_copy(array, alignment=64):
    copy = aligned(array.shape, alignment)
    copy[...] = array
    return copy


@dataclass
class Problem:
    rule: str
    T: int
    heads: int
    K: int
    V: int
    query: np.ndarray  # [B, T, H, K]
    key: np.ndarray
    value: np.ndarray  # [B, T, H, V]
    log_decay: np.ndarray  # kda: [B, T, H, K]; gdn: [B, T, H]
    beta: np.ndarray  # [B, T, H]
    state: np.ndarray  # [B, H, K, V]
    scale: float

    def token_heads(self):
        return self.T * self.heads


def make_problem(rule, T, heads, K=128, V=128, seed=1, alignment=64):
    random = np.random.default_rng(seed)

    def normalised(shape):
        x = random.standard_normal(shape)
        return aligned_copy(x / np.linalg.norm(x, axis=-1, keepdims=True), alignment)

    gates = (1, T, heads, K) if rule == "kda" else (1, T, heads)
    return Problem(
        rule,
        T,
        heads,
        K,
        V,
        normalised((1, T, heads, K)),
        normalised((1, T, heads, K)),
        aligned_copy(random.standard_normal((1, T, heads, V)), alignment),
        aligned_copy(-0.2 * random.random(gates), alignment),
        aligned_copy(random.random((1, T, heads)), alignment),
        aligned_copy(random.standard_normal((1, heads, K, V)), alignment),
        K**-0.5,
    )
