"""Commands that drive a joint by a curve drawn by hand: its rest angle, or an extra force."""

from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING

from gambol.errors import GambolError
from gambol.script import state_edits
from gambol.script.corpus import ALL_FLAGS, EXTRA, Corpus
from gambol.script.drawn_curve import DrawnCurve, read_curve
from gambol.script.language.command import Command, Definition, Values
from gambol.script.language.lines import path_inside

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter

FORCE_STEPS = 100
"""Number of steps of a curve of force; in each the force is constant, with the mean of the curve."""


def _curve(interp: "Interpreter", values: Values) -> tuple[Corpus, str, DrawnCurve]:
    """Return the corpus and the body of a command, and its curve."""
    name, file, seconds, low, high = values
    corpus = interp.current_corpus()
    if corpus.body(name).name == corpus.root:
        raise GambolError(f'"{name}" is the root, whose joint no curve can drive')
    if seconds is not None and seconds <= 0.0:
        raise GambolError(f"the curve lasts {seconds:g} s; give more than 0")
    if low is not None and (high is None or not low < high):
        raise GambolError("give the smallest value and then a larger one, or neither")
    return corpus, name, read_curve(path_inside(interp.folder, file, interp.where), seconds, low, high)


def _schedule(interp: "Interpreter", delay: float, act: Callable[["Interpreter", Values], None]) -> None:
    """Schedule an action after a time [s]."""
    interp.schedule(interp.spec.time + delay, Command(Definition("a curve", "", "", act), (), interp.where))


def _motioncurve(interp: "Interpreter", values: Values) -> None:
    corpus, name, curve = _curve(interp, values)
    if corpus.body(name).spring() is None:
        raise GambolError(f'the joint of "{name}" has no spring whose rest angle a curve could move; give it ea and eB')
    _schedule(interp, 0.0, lambda now, _: now.edit_state(corpus, state_edits.set_rest_angle(name, first)))
    first = float(curve.value[0])
    for (start, end), target in zip(pairwise(curve.time), curve.value[1:], strict=True):
        edit = state_edits.start_motor(name, float(target), float(end - start))
        _schedule(interp, float(start), lambda now, _, edit=edit: now.edit_state(corpus, edit))


def _forcecurve(interp: "Interpreter", values: Values) -> None:
    corpus, name, curve = _curve(interp, values)
    body = corpus.body(name)
    if not (ALL_FLAGS if body.Q_type is None else body.Q_type) & EXTRA:
        raise GambolError(f'the extra force of "{name}" is switched off; add {EXTRA} to its Q_type')

    def set_force(force: float) -> Callable[["Interpreter", Values], None]:
        return lambda now, _: body.numbers.update(extra=force)

    for start, force in zip(*curve.staircase(FORCE_STEPS), strict=True):
        _schedule(interp, float(start), set_force(float(force)))
    _schedule(interp, float(curve.time[-1]), set_force(0.0))


ARGUMENTS = "body file:file seconds:number? lowest:number? highest:number?"
DEFINITIONS = (
    Definition(
        "motioncurve",
        ARGUMENTS,
        "moves a joint's rest angle along a curve drawn in a file (.csv, .svg), scaled to a duration and a range",
        _motioncurve,
        is_extension=True,
    ),
    Definition(
        "forcecurve",
        ARGUMENTS,
        "gives a joint an extra force or torque along a curve drawn in a file [N or N m], and 0 afterwards",
        _forcecurve,
        is_extension=True,
    ),
)
