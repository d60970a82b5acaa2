"""ExecuTorch's llama::gated_delta_rule: a token loop for one token, a chunk algorithm for more."""

import os
import sys

import numpy as np
import torch
from executorch import version
from executorch.extension.llm.custom_ops import custom_ops  # noqa: F401, registers the operator
from executorch.extension.pybindings.portable_lib import _unsafe_reset_threadpool

from problem import aligned
from rivals.pytorch import TorchCall

# It writes a line to stderr at every call, which would be timed too: from here on only Python's own messages appear.
sys.stderr = os.fdopen(os.dup(2), "w", buffering=1)
os.dup2(os.open(os.devnull, os.O_WRONLY), 2)

# Its pool has a thread for every core of the machine, also in a process that may run on one only.
_unsafe_reset_threadpool(1)


class GatedDeltaRule(TorchCall):
    """It takes heads first, a scaled query, decays instead of their logarithms, and not the old state as the new one.

    All that is made ready once and not timed.
    """

    def __init__(self, problem):
        B, T, H, V = problem.value.shape
        query, decay = problem.query * np.float32(problem.scale), np.exp(problem.log_decay)
        arrays = query, problem.key, problem.value, decay, problem.beta
        super().__init__(
            f"ExecuTorch {version.__version__}",
            torch.ops.llama.gated_delta_rule.out,
            *(torch.from_numpy(array).transpose(1, 2).contiguous() for array in arrays),
            torch.from_numpy(problem.state),
            out=torch.from_numpy(aligned((B, H, T, V))),
            final_state_out=torch.from_numpy(aligned(problem.state.shape)),
        )

    @property
    def output(self):
        return np.swapaxes(super().output, 1, 2)


def contenders(problem):
    return [GatedDeltaRule(problem)]
