"""Other implementations, a module each, which cannot be imported where its packages are not installed.

A module's `contenders(problem)` are the ways it has to compute that problem.
"""

import importlib

PACKAGES = {
    "onnx_runtime": "onnx onnxruntime",
    "executorch": "torch executorch",
    "hugging_face": "torch transformers",
    "flash_linear_attention": "torch triton fla-core",
}


def load(name):
    return importlib.import_module(f"{__name__}.{name}")


def how_to_install(name):
    return f"build/bench_venv/bin/pip install -c bench/compare/requirements.txt {PACKAGES[name]}"
