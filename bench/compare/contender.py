"""Sluice as a contender: `run()`, then `output` and `state`, as every rival has them."""

import numpy as np

from problem import aligned, aligned_copy
from sluice import Library


class Sluice:
    name = "sluice"

    def __init__(self, problem, library: Library, in_place):
        self.output = aligned(problem.value.shape)
        initial = aligned_copy(problem.state)
        self.state = initial if in_place else aligned(problem.state.shape)
        self.context = library.context(workers=1)
        heads_first = lambda array: np.swapaxes(array, 1, 2)
        self.kept = (problem, initial)  # the arguments point into these
        self.args = self.context.args(
            problem.rule,
            problem.scale,
            query=heads_first(problem.query),
            key=heads_first(problem.key),
            value=heads_first(problem.value),
            gate=heads_first(problem.log_decay),
            beta=heads_first(problem.beta),
            initial_state=initial,
            output=heads_first(self.output),
            final_state=self.state,
        )

    def run(self):
        self.context.run(self.args)
