"""Firefox, driven by its own protocol (WebDriver BiDi), computes a program with the bits of the processor."""

import base64
import json
import re
import subprocess
from importlib.resources import files

import numpy as np
import pytest
from websockets.sync.client import connect

from gambol import Engine, make_world, roach, start
from gambol.lanes.wasm import stored_module

STEPS = 1000
PATIENCE = 120.0  # s
PAGE = """<!doctype html><script>{loader}
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const numbers = (text) => new Float64Array(bytes(text).buffer);
const program = new WasmProgram(bytes("{code}"), {description});
program.fill(0, numbers("{state}"));
program.fill(1, numbers("{numbers}"));
for (let step = 1; step <= {steps}; step++) {{
  program.inputs[2].fill(step);
  program.run();
  program.inputs[0].set(program.outputs[0]);
}}
</script>"""


def text_of(data):
    return base64.b64encode(data).decode()


def evaluated_in_firefox(path, page, folder, expression):
    """The value of an expression in a page, in a Firefox without a screen; folder: of its profile."""
    command = [path, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
    environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            addresses = (re.search(r"WebDriver BiDi listening on (ws://\S+)", line) for line in process.stderr)
            address = next(match[1] for match in addresses if match)
            with connect(f"{address}/session", max_size=None) as socket:
                ask(socket, "session.new", capabilities={})
                context = ask(socket, "browsingContext.getTree")["contexts"][0]["context"]
                ask(socket, "browsingContext.navigate", context=context, url=page.as_uri(), wait="complete")
                target = {"context": context}
                return ask(socket, "script.evaluate", expression=expression, target=target, awaitPromise=False)
        finally:
            process.terminate()


def ask(socket, method, **params):
    """The result of a command of the protocol."""
    socket.send(json.dumps({"id": 1, "method": method, "params": params}))
    while "method" in (answer := json.loads(socket.recv(timeout=PATIENCE))):  # an event
        pass
    assert answer["type"] == "success", answer
    return answer["result"]


@pytest.mark.slow  # Firefox is large; `make test-slow` needs it
def test_a_thousand_steps_of_the_roach_have_the_bits_of_the_processor(firefox_path, tmp_path):
    world = make_world(roach(), speed=1.0)
    engine, state = Engine(world, lanes=1), start(world)
    module = stored_module(engine.advance_spec)
    columns = {"state": state.rows, "numbers": engine.numbers()}
    parts = {name: text_of(column[:, 0].astype("<f8").tobytes()) for name, column in columns.items()}
    loader = (files("gambol.lanes.wasm") / "program.js").read_text(encoding="utf-8")
    parts |= {"loader": loader, "code": text_of(module.code), "description": json.dumps(module.description())}
    page = tmp_path / "page.html"
    page.write_text(PAGE.format(steps=STEPS, **parts), encoding="utf-8")
    answer = evaluated_in_firefox(
        firefox_path, page, tmp_path, "JSON.stringify([program.fused, Array.from(program.inputs[0])])"
    )
    fused, rows = json.loads(answer["result"]["value"])
    engine.advance(state, STEPS)
    assert fused
    np.testing.assert_array_equal(rows[:: module.description()["lanes"]], state.rows[:, 0])
