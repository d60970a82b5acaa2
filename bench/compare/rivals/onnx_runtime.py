"""ONNX Runtime's operator for linear attention: a token loop."""

import numpy as np
import onnxruntime
from onnx import TensorProto, helper

from problem import aligned


class OnnxRuntime:
    """com.microsoft.LinearAttention, alone in a graph, its inputs and outputs bound to memory once."""

    name = f"ONNX Runtime {onnxruntime.__version__}"

    def __init__(self, problem):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 3
        session = onnxruntime.InferenceSession(self.model(problem), options, providers=["CPUExecutionProvider"])
        flat = lambda array: array.reshape(1, problem.T, -1)
        inputs = {
            "query": flat(problem.query),
            "key": flat(problem.key),
            "value": flat(problem.value),
            "past_state": problem.state,
            "decay": flat(problem.log_decay),
            "beta": problem.beta,
        }
        self.output, self.state = aligned(problem.value.shape), aligned(problem.state.shape)
        self.binding = session.io_binding()
        for name, array in inputs.items():
            self.binding.bind_input(name, "cpu", 0, np.float32, array.shape, array.ctypes.data)
        for name, array in (("output", flat(self.output)), ("present_state", self.state)):
            self.binding.bind_output(name, "cpu", 0, np.float32, array.shape, array.ctypes.data)
        self.session, self.kept = session, inputs

    @staticmethod
    def model(problem):
        inputs = ["query", "key", "value", "past_state", "decay", "beta"]
        outputs = ["output", "present_state"]
        node = helper.make_node(
            "LinearAttention",
            inputs,
            outputs,
            domain="com.microsoft",
            q_num_heads=problem.heads,
            kv_num_heads=problem.heads,
            update_rule="gated_delta",
            scale=problem.scale,
        )
        values = lambda names: [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names]
        graph = helper.make_graph([node], "linear_attention", values(inputs), values(outputs))
        opsets = [helper.make_opsetid("", 21), helper.make_opsetid("com.microsoft", 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=10).SerializeToString()

    def run(self):
        self.session.run_with_iobinding(self.binding)


def contenders(problem):
    return [OnnxRuntime(problem)]
