"""Hugging Face's PyTorch code in the models Qwen3-Next (gdn) and Kimi Linear (kda)."""

from inspect import unwrap

import transformers
from transformers.models.kimi_linear import modeling_kimi_linear as kimi_linear
from transformers.models.qwen3_next import modeling_qwen3_next as qwen3_next

from rivals.pytorch import keyword_calls

RECURRENT = {
    "gdn": qwen3_next.torch_recurrent_gated_delta_rule,
    "kda": kimi_linear.recurrent_kimi_delta_attention,
}
CHUNK = {
    "gdn": qwen3_next.torch_chunk_gated_delta_rule,
    "kda": kimi_linear.chunk_kimi_delta_attention,
}


def contenders(problem):
    # Where flash-linear-attention is installed, what wraps these functions calls its GPU kernels instead.
    recurrent, chunk = unwrap(RECURRENT[problem.rule]), unwrap(CHUNK[problem.rule])
    return keyword_calls(f"transformers {transformers.__version__}", recurrent, chunk, problem)
