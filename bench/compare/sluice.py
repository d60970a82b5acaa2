"""The part of sluice.h that comparisons need, through ctypes."""

import ctypes
from ctypes import c_char_p, c_float, c_int32, c_int64, c_size_t, c_uint32, c_uint64, c_void_p

import numpy as np

RULES = {"gdn": 0, "kda": 1, "gdn2": 2}
GATE_LOG_DECAY = 1


class Tensor(ctypes.Structure):
    _fields_ = [
        ("data", c_void_p),
        ("dtype", c_int32),
        ("rank", c_int32),
        ("shape", c_int64 * 4),
        ("stride", c_int64 * 4),
    ]


class ContextOptions(ctypes.Structure):
    _fields_ = [
        ("struct_size", c_size_t),
        ("workers", c_int32),
        ("reserved0", c_uint32),
        ("parallel_for", c_void_p),
        ("parallel_for_data", c_void_p),
        ("isa", c_char_p),
        ("schedule", c_char_p),
        ("kernel", c_char_p),
        ("reserved", c_uint64 * 4),
    ]


class Args(ctypes.Structure):
    _fields_ = (
        [
            ("struct_size", c_size_t),
            ("rule", c_int32),
            ("gate_kind", c_int32),
            ("head_map", c_int32),
            ("state_layout", c_int32),
            ("l2norm", c_int32),
            ("l2norm_eps", c_float),
            ("scale", c_float),
            ("reserved0", c_uint32),
        ]
        + [(name, Tensor) for name in ("query", "key", "value", "gate", "beta", "erase", "write")]
        + [(name, Tensor) for name in ("initial_state", "output", "final_state")]
        + [("reserved", c_uint64 * 8)]
    )


def view(array):
    """A tensor in the logical order of `array`'s axes, whatever its strides."""
    assert array.dtype == np.float32, array.dtype
    tensor = Tensor(array.ctypes.data, 0, array.ndim)
    tensor.shape[: array.ndim] = array.shape
    tensor.stride[: array.ndim] = [stride // array.itemsize for stride in array.strides]
    return tensor


class Library:
    def __init__(self, path):
        self.c = ctypes.CDLL(str(path))
        self.c.sluice_error_message.restype = c_char_p
        self.c.sluice_error_message.argtypes = [c_void_p]
        self.c.sluice_gated_delta_rule.argtypes = [c_void_p, ctypes.POINTER(Args)]
        self.c.sluice_context_destroy.argtypes = [c_void_p]
        self.c.sluice_version.restype = c_char_p
        self.c.sluice_ctypes_register_study_kernels()

    def version(self):
        return self.c.sluice_version().decode()

    def context(self, **options):
        return Context(self, options)


class Context:
    def __init__(self, library, options):
        self.c = library.c
        self.handle = c_void_p()
        settings = ContextOptions()
        self.c.sluice_context_options_init(ctypes.byref(settings))
        for name, value in options.items():
            setattr(settings, name, value.encode() if isinstance(value, str) else value)
        if self.c.sluice_context_create(ctypes.byref(settings), ctypes.byref(self.handle)) != 0:
            raise RuntimeError(self.c.sluice_error_message(None).decode())

    def __del__(self):
        self.c.sluice_context_destroy(self.handle)

    def args(self, rule, scale, **tensors):
        """Keyword arguments are the tensors of sluice.h, as float32 arrays in its logical order."""
        args = Args()
        self.c.sluice_gated_delta_rule_args_init(ctypes.byref(args))
        args.rule = RULES[rule]
        args.gate_kind = GATE_LOG_DECAY
        args.scale = scale
        for name, array in tensors.items():
            setattr(args, name, view(array))
        return args

    def run(self, args):
        if self.c.sluice_gated_delta_rule(self.handle, args) != 0:
            raise RuntimeError(self.c.sluice_error_message(self.handle).decode())
