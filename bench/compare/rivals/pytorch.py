"""What the rivals that are called through PyTorch share."""

import torch

torch.set_num_threads(1)


class TorchCall:
    """A function of tensors that returns the output and the new state."""

    def __init__(self, name, function, *args, **kwargs):
        self.name, self.function, self.args, self.kwargs = name, function, args, kwargs

    def run(self):
        with torch.inference_mode():
            self.results = self.function(*self.args, **self.kwargs)

    @property
    def output(self):
        """[B, T, H, V]"""
        return self.results[0].numpy()

    @property
    def state(self):
        """[B, H, K, V]"""
        return self.results[1].numpy()


def keyword_calls(package, recurrent, chunk, problem):
    """Calls of functions with the interface of flash-linear-attention and Hugging Face, whose scale is K^-0.5.

    A chunk function is of no use for one token, which it pads to a chunk.
    """
    forms = {"recurrent": recurrent} if problem.T == 1 else {"chunk": chunk, "recurrent": recurrent}
    tensor = torch.from_numpy
    return [
        TorchCall(
            f"{package}, {form}",
            function,
            tensor(problem.query),
            tensor(problem.key),
            tensor(problem.value),
            g=tensor(problem.log_decay),
            beta=tensor(problem.beta),
            initial_state=tensor(problem.state),
            output_final_state=True,
        )
        for form, function in forms.items()
    ]
