"""A policy of linear layers and tanh between them, as arrays and as an ONNX file.

z = clip((obs - mean) / deviation, -c, c)
action = clip(W_n tanh(... tanh(W_1 z + b_1)) + b_n, low, high)
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


@dataclass(frozen=True)
class Layers:
    """The numbers of a policy.

    mean, deviation (n): of observations. clip: largest normalised observation. weights: W and b of each layer. low,
    high (m): bounds of actions.
    """

    mean: Array
    deviation: Array
    clip: float
    weights: list[tuple[Array, Array]]
    low: Array
    high: Array

    def action(self, obs: Array) -> Array:
        """Return the action (m,) of an observation (n,)."""
        z = np.clip((obs - self.mean) / self.deviation, -self.clip, self.clip)
        for k, (W, b) in enumerate(self.weights):
            z = W @ z + b
            z = np.tanh(z) if k < len(self.weights) - 1 else z
        return np.clip(z, self.low, self.high).astype(np.float32)


def write_policy(layers: Layers, path: Path) -> None:
    """Write an ONNX model with the input "observations" (batch, n) and the output "actions" (batch, m)."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper

    arrays = {"mean": layers.mean, "deviation": layers.deviation, "low": layers.low, "high": layers.high}
    arrays |= {"bottom": np.array(-layers.clip), "top": np.array(layers.clip)}
    nodes = [
        helper.make_node("Sub", ["observations", "mean"], ["centred"]),
        helper.make_node("Div", ["centred", "deviation"], ["scaled"]),
        helper.make_node("Clip", ["scaled", "bottom", "top"], ["x0"]),
    ]
    last = len(layers.weights) - 1
    for k, (W, b) in enumerate(layers.weights):
        arrays |= {f"W{k}": W, f"b{k}": b}
        nodes.append(helper.make_node("Gemm", [f"x{k}", f"W{k}", f"b{k}"], [f"y{k}"], transB=1))
        if k < last:
            nodes.append(helper.make_node("Tanh", [f"y{k}"], [f"x{k + 1}"]))
    nodes += [
        helper.make_node("Max", [f"y{last}", "low"], ["above"]),
        helper.make_node("Min", ["above", "high"], ["actions"]),
    ]
    ends = {"observations": len(layers.mean), "actions": len(layers.low)}
    infos = [helper.make_tensor_value_info(name, TensorProto.FLOAT, ["batch", size]) for name, size in ends.items()]
    numbers = [numpy_helper.from_array(np.asarray(a, np.float32), name) for name, a in arrays.items()]
    graph = helper.make_graph(nodes, "policy", infos[:1], infos[1:], numbers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    path.parent.mkdir(parents=True, exist_ok=True)
    onnx.save(model, path)
