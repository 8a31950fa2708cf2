"""Firefox, driven by its own protocol (WebDriver BiDi), computes programs with the bits of the processor."""

import base64
import json
import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from quadrupeds import quadruped
from websockets.sync.client import connect
from worlds import touch

from gambol import Engine, SurfaceProperties, World, make_world, roach, start
from gambol.cli.figures.run_request import RunRequest
from gambol.cli.figures.running import prepare_run
from gambol.cli.figures.sources import ReadOptions
from gambol.evolve.evaluate import start_of_rollout
from gambol.evolve.genotype import to_json
from gambol.evolve.zoo import zoo_creature
from gambol.lanes.wasm import stored_module

STEPS = 1000
PATIENCE = 300.0  # s
PAGE = """<!doctype html><script>{loader}
const bytes = (text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
const numbers = (text) => new Float64Array(bytes(text).buffer);
const code = bytes("{code}"), begin = performance.now(), program = new WasmProgram(code, {description}, {fused});
program.fill(0, numbers("{state}"));
program.fill(1, numbers("{numbers}"));
const times = [];
for (let step = 1; step <= {steps}; step++) {{
  program.inputs[2].fill(step);
  const before = performance.now();
  program.run();
  times.push(performance.now() - before);
  if (step === 1) times.start = performance.now() - begin;
  program.inputs[0].set(program.outputs[0]);
}}
const late = times.slice(times.length / 2).sort((a, b) => a - b);
const answer = JSON.stringify([program.fused, Array.from(program.inputs[0]), times.start, late[late.length >> 1]]);
</script>"""
ROBOT = Path(__file__).parents[3] / "examples" / "figures" / "robot-dog.xml"


def dropped(contact):
    """A quadruped that falls onto its feet, and what is given to its program."""
    world = World(quadruped(), surface=SurfaceProperties(touch(damping=20.0, skid_damping=10.0)), contact=contact)
    return start(world, position=(0.0, 0.0, 0.3)), None


def roach_state(**options):
    return start(make_world(roach(), speed=1.0, **options)), None


def evolved(options):
    """The walker of the zoo; options: further options of its world."""
    walker = zoo_creature("walker")
    settings = replace(walker.settings, options={**walker.settings.options, **options})
    return start_of_rollout(settings, to_json(walker.genotype))


def robot():
    run = prepare_run(
        RunRequest(ROBOT, reading=ReadOptions(pose="standing"), hold=True), ROBOT.parent, lambda line: None
    )
    return run.simulation.state, None


CASES = {
    "roach, penalty": roach_state,
    "roach, stepping": lambda: roach_state(contact="stepping"),
    **{
        f"quadruped, {name}": lambda name=name: dropped(name)
        for name in ("penalty", "stepping", "impulse", "constraint")
    },
    "walker": lambda: evolved({}),
    "free body": lambda: evolved({"bodies": "template"}),
    "robot from a file": robot,
}
"""The first state of a world, and the inputs of its program or None, by name."""


def text_of(data):
    return base64.b64encode(data).decode()


def page_of(state, numbers, software):
    """The text of a page that computes STEPS control steps; numbers: inputs, or None for those of the world."""
    engine = Engine(state.world, state.precision, lanes=1)
    module = stored_module(engine.advance_spec, state.precision)
    columns = {"state": state.rows, "numbers": engine.numbers() if numbers is None else numbers}
    parts = {name: text_of(column[:, 0].astype("<f8").tobytes()) for name, column in columns.items()}
    loader = (files("gambol.lanes.wasm") / "program.js").read_text(encoding="utf-8")
    parts |= {"loader": loader, "code": text_of(module.code), "description": json.dumps(module.description())}
    return PAGE.format(steps=STEPS, fused="false" if software else "undefined", **parts)


@contextmanager
def firefox(path, folder) -> Iterator:
    """A function that returns the value of an expression in a page, in a Firefox without a screen."""
    command = [path, "--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
    environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin"}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        try:
            addresses = (re.search(r"WebDriver BiDi listening on (ws://\S+)", line) for line in process.stderr)
            address = next(match[1] for match in addresses if match)
            with connect(f"{address}/session", max_size=None) as socket:
                ask(socket, "session.new", capabilities={})
                context = ask(socket, "browsingContext.getTree")["contexts"][0]["context"]

                def evaluated(page, expression):
                    ask(socket, "browsingContext.navigate", context=context, url=page.as_uri(), wait="complete")
                    target = {"context": context}
                    return ask(socket, "script.evaluate", expression=expression, target=target, awaitPromise=False)

                yield evaluated
        finally:
            process.terminate()


def ask(socket, method, **params):
    """The result of a command of the protocol."""
    socket.send(json.dumps({"id": 1, "method": method, "params": params}))
    while "method" in (answer := json.loads(socket.recv(timeout=PATIENCE))):  # an event
        pass
    assert answer["type"] == "success", answer
    return answer["result"]


def native(state, numbers):
    engine, after = Engine(state.world, state.precision, lanes=1), state.copied()
    engine.advance(after, STEPS, numbers)
    return after.rows[:, 0]


@pytest.fixture(scope="module")
def evaluated(firefox_path, tmp_path_factory):
    with firefox(firefox_path, tmp_path_factory.mktemp("profile")) as evaluated:
        yield evaluated


@pytest.mark.slow  # Firefox is large; `make test-slow` needs it
@pytest.mark.parametrize("software", [False, True])
@pytest.mark.parametrize("name", CASES)
def test_a_thousand_steps_have_the_bits_of_the_processor(evaluated, tmp_path, name, software):
    """All contact methods, float64 and float32, an evolved and a free body, a robot; and with the fma in software."""
    state, numbers = CASES[name]()
    page = tmp_path / "page.html"
    page.write_text(page_of(state, numbers, software), encoding="utf-8")
    fused, rows, _, _ = json.loads(evaluated(page, "answer")["result"]["value"])
    assert fused is not software
    lanes = len(rows) // len(state.rows)
    np.testing.assert_array_equal(np.array(rows[::lanes], state.rows.dtype), native(state, numbers))
