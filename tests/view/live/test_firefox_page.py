"""A whole page in Firefox, driven by its own protocol (WebDriver BiDi) on a virtual screen, where it has WebGL."""

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from websockets.sync.client import connect

from gambol import Engine, make_world, roach, start, write_live_page

STEPS = 1000
PATIENCE = 300.0  # s
LOADED = "!!window.gambol && gambol.fused !== null && !!window.player && player.pace.count > 1"
RUN = f"""(async () => {{
  await gambol.pause();
  await gambol.reset();
  await gambol.step({STEPS});
  return JSON.stringify([gambol.fused, Array.from(gambol.state()), document.getElementById("error").textContent]);
}})()"""
# Numbers of pixels of the picture whose red exceeds their blue by more than half of 255: those of a brown figure.
BROWN = """(() => {
  player.draw(0);
  const gl = player.renderer.getContext(), { drawingBufferWidth: w, drawingBufferHeight: h } = gl;
  const pixels = new Uint8Array(4 * w * h);
  player.stale = true;
  player.draw(0);
  gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
  let count = 0;
  for (let k = 0; k < w * h; k++) count += pixels[4 * k] - pixels[4 * k + 2] > 80;
  return count / (w * h);
})()"""


@contextmanager
def screen() -> Iterator[str]:
    """Yield the name of a virtual screen, which ends with the block."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "800x600x24", "-nolisten", "tcp"]
    with subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL) as process:
        os.close(writing)
        try:
            with os.fdopen(reading) as number:
                yield f":{number.readline().strip()}"
        finally:
            process.terminate()


@contextmanager
def opened(firefox, page, folder) -> Iterator:
    """Open a page; yield a function that returns the value of an expression in it."""
    command = [firefox, "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
    with screen() as display, (folder / "log").open("w+") as log:
        environment = {"HOME": str(folder), "PATH": "/usr/bin:/bin", "DISPLAY": display}
        with subprocess.Popen(command, stderr=log, env=environment) as process:
            try:
                with connect(f"{_address(process, folder / 'log')}/session", max_size=None) as socket:
                    _ask(socket, "session.new", capabilities={})
                    context = _ask(socket, "browsingContext.getTree")["contexts"][0]["context"]
                    _ask(socket, "browsingContext.navigate", context=context, url=page.as_uri(), wait="complete")

                    def value_of(expression):
                        target = {"context": context}
                        answer = _ask(
                            socket, "script.evaluate", expression=expression, target=target, awaitPromise=True
                        )
                        assert answer["type"] == "success", answer
                        return answer["result"]["value"]

                    yield value_of
            finally:
                process.terminate()


def _address(process, log):
    """The address at which a Firefox waits for its protocol, which it writes into its log."""
    while not (found := re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text())):
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(0.1)  # it runs
    return found[1]


def _ask(socket, method, **params):
    """The result of a command of the protocol."""
    socket.send(json.dumps({"id": 1, "method": method, "params": params}))
    while "method" in (answer := json.loads(socket.recv(timeout=PATIENCE))):  # an event
        pass
    assert answer["type"] == "success", answer
    return answer["result"]


@pytest.mark.slow  # Firefox is large; `make test-slow` needs it
def test_a_page_draws_and_computes_in_firefox_with_the_bits_of_the_processor(firefox_path, tmp_path):
    """The roach's page: it draws the brown figure on light ground, and its thousand steps have all bits."""
    if shutil.which("Xvfb") is None:
        pytest.fail("no Xvfb on PATH: install it (package xvfb), or say GAMBOL_TEST_FIREFOX=none")
    world = make_world(roach(), speed=1.0)
    page = write_live_page(world, tmp_path / "roach.html")
    folder = tmp_path / "profile"
    folder.mkdir()
    with opened(firefox_path, page, folder) as value_of:
        while not value_of(LOADED):
            assert not value_of("document.getElementById('error').textContent")
        assert 0.01 < value_of(BROWN) < 0.5
        fused, rows, error = json.loads(value_of(RUN))
    engine, state = Engine(world, lanes=1), start(world)
    engine.advance(state, STEPS)
    assert (fused, error) == (True, "")
    np.testing.assert_array_equal(np.array(rows), state.rows[:, 0])
