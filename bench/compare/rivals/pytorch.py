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
