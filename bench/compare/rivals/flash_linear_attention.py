"""flash-linear-attention's reference code in PyTorch, which is what it has for a CPU."""

import fla
from fla.ops.gated_delta_rule import naive as gdn
from fla.ops.kda import naive as kda

from rivals.pytorch import keyword_calls

RECURRENT = {"gdn": gdn.naive_recurrent_gated_delta_rule, "kda": kda.naive_recurrent_kda}
CHUNK = {"gdn": gdn.naive_chunk_gated_delta_rule, "kda": kda.naive_chunk_kda}


def contenders(problem):
    return keyword_calls(f"fla {fla.__version__} naive", RECURRENT[problem.rule], CHUNK[problem.rule], problem)
