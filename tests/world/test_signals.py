"""The table of signals: every signal of a film is in it, with its axes; its page has the same rows."""

import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pages import run_page

import gambol
from gambol.cli.walk.roach import RoachRequest, prepare_roach_walk, simulate_walk
from gambol.world import Film
from gambol.world.film.signals import ENTRIES, READINGS, SIGNALS, USER_DEFINED, SignalKind, signal_kind
from gambol.world.record import Recorder

PAGE = Path(__file__).parents[2] / "docs" / "use" / "signals.md"


@pytest.fixture(scope="module")
def muscled() -> Film:
    """A film of a roach that walks by muscles, with contacts."""
    return simulate_walk(prepare_roach_walk(RoachRequest(muscles=True, seconds=0.02)), None)[0]


def sizes(film: Film, feet: int) -> dict[str, int]:
    return {"legs": len(film.limb_names), "feet": feet, "xyz": 3, "pair": 2}


def check_rows(film: Film, feet: int) -> None:
    known = sizes(film, feet)
    for name, signal in film.signals.items():
        kind = signal_kind(name, film.signals)
        assert kind is not None, name
        assert kind is not USER_DEFINED, name
        assert len(kind.axes) == signal.ndim - 2, name
        for axis, count in zip(kind.axes, signal.shape[2:], strict=True):
            assert count == known.get(axis, count), name


def test_every_signal_of_muscles_and_contacts_is_in_the_table(muscled: Film):
    check_rows(muscled, 6)
    assert {"contact_links", "actuator leg_fl0 + fibre_length", "unaccounted"} <= muscled.signals.keys()


def test_every_signal_of_the_roach_and_of_a_stepping_box_is_in_the_table():
    world = gambol.make_world("roach")
    check_rows(gambol.run(world, gambol.start(world), 0.01), 6)
    box = gambol.Part(gambol.Box((0.4, 0.4, 0.1)), density=500.0)
    figure = gambol.Figure("box", (gambol.Link("box", None, gambol.Joint("free"), (box,)),))
    world = gambol.make_world(figure, contact="stepping")
    film = gambol.run(world, gambol.start(world), 0.1, contacts=True)
    check_rows(film, len(world.surface.feet))
    assert "residual" in film.signals


def test_parts_have_the_names_of_legs_and_axes_and_a_unit(muscled: Film):
    columns = muscled.columns()
    np.testing.assert_array_equal(columns["feet.leg_fr4.z [m]"], muscled.signals["feet"][:, 0, 1, 2])
    np.testing.assert_array_equal(columns["stepping.back_left"], muscled.signals["stepping"][:, 0, 4])
    np.testing.assert_array_equal(columns["upper.front_right [rad or m]"], muscled.signals["upper"][:, 0, 1])
    assert "actuator leg_fl0 + force [N]" in columns
    numbers = sum(signal[0, 0].size for signal in muscled.signals.values())
    assert len(columns) == 1 + 7 * len(muscled.link_names) + numbers


def test_units_of_an_actuator_that_may_turn_a_joint_are_left_open():
    assert signal_kind("actuator knee force").unit == "N or N m"
    assert signal_kind("actuator knee force", ("actuator knee fibre_length",)).unit == "N"
    assert signal_kind("actuator knee force", ("actuator hip fibre_length",)).unit == "N or N m"
    assert signal_kind("actuator motor current") is USER_DEFINED
    assert signal_kind("sensor left eye") is READINGS
    assert signal_kind("sensed") is None


def test_the_recorder_names_only_signals_of_the_table():
    text = str(Recorder.__doc__)
    for name in ("elsewhere", "positive_power", "stabilisation", "unsolved", "rejected", "wall"):
        assert name in text
        assert name in SIGNALS


def row(name: str, kind: SignalKind) -> str:
    return f"| `{name}` | {kind.shape} | {kind.unit or '-'} | {kind.frame or '-'} | {kind.meaning} |"


def test_the_page_of_signals_has_the_rows_of_the_table():
    lines = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    rows = [row(name, kind) for name, kind in SIGNALS.items()]
    rows += [row(f"actuator NAME {entry}", kind) for entry, kind in ENTRIES.items()]
    rows += [row("sensor NAME", READINGS)]
    assert [line for line in lines if line.count("|") == 6] == rows


def test_a_notebook_shows_the_signals_of_a_film(muscled: Film):
    shown = replace(muscled, name="<b>roach", signals={"push": muscled.signals["push"], "a<b": muscled.signals["wall"]})
    table = re.search("<table>.*</table>", replace(shown, shapes=())._repr_html_())
    rows = [[cell.text for cell in row] for row in ET.fromstring(table[0]).iter("tr")]
    assert rows[1] == ["push", str(muscled.signals["push"].shape), "N", SIGNALS["push"].meaning]
    assert rows[2][0] == "a<b"
    assert "and " in muscled._repr_html_().rpartition("</table>")[2]


def test_the_program_of_the_page_runs():
    pytest.importorskip("pandas")
    assert list(run_page("use/signals.md")["table"].columns[:1]) == ["time [s]"]


def test_a_world_shows_itself_in_a_few_lines():
    for world in (gambol.make_world("roach"), gambol.make_world("snake")):
        shown = repr(world)
        assert len(shown.splitlines()) <= 5
        assert len(shown) < 500
        assert f"freedoms: {world.figure.nv}" in shown
