"""Commands that set springs, dampers and limits of joints, and that move their rest angles."""

import re
from typing import TYPE_CHECKING

from gambol.errors import GambolError, did_you_mean
from gambol.script import carry
from gambol.script.corpus import EVERYTHING, SCALES, Body, Corpus
from gambol.script.effort import at_joints
from gambol.script.language.row import Row, Values

if TYPE_CHECKING:
    from gambol.script.stage import Stage

NUMBERS = ("k", "k_q", "b", "ea", "eB", "e_q", "l_min", "l_max", "l_k", "l_b", "extra")
"""Parameters of a joint that are a number of its spring, damper, limits or extra force."""

STRENGTHS = ("k", "b", "ea", "eB", "l_k", "l_b")
"""Those that cannot be negative."""

PARAMETERS = "q|dq|Q_type|springtype|" + "|".join(NUMBERS)

SLIPPED = 1e-9  # how far from a power of ten two angles may be for a slipped decimal point to be seen


def _joint(stage: "Stage", values: Values) -> None:
    name, parameter, word = values
    corpus = stage.building()
    body = corpus.body(name)
    if name == corpus.root:
        raise GambolError(f'"{name}" is the root, whose joint has no spring and no angle')
    if parameter == "springtype":
        if word not in SCALES:
            raise GambolError(f'springtype cannot be "{word[:40]}"; {did_you_mean(word, SCALES)}')
        body.scale = SCALES[word]
        return
    value = _value(parameter, word)
    if parameter == "Q_type":
        if value != int(value) or int(value) & ~EVERYTHING:
            raise GambolError(
                f"Q_type {word[:40]} is no sum of 1 (damper), 2 (linear spring), 4 (limits), 8 (extra) and "
                "16 (exponential spring)"
            )
        body.Q_type = int(value)
    elif parameter == "q":
        stage.edit(corpus, carry.joint_at(name, value))
        _compare(stage, corpus, name, value)
    elif parameter == "dq":
        stage.edit(corpus, carry.joint_speed(name, value))
    else:
        _set_number(stage, corpus, body, parameter, value)


def _value(parameter: str, word: str) -> float:
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?", word, re.ASCII) or abs(float(word)) > 1e12:
        raise GambolError(f'{parameter} is "{word[:40]}"; it should be a number')
    return float(word)


def _set_number(stage: "Stage", corpus: Corpus, body: Body, parameter: str, value: float) -> None:
    if parameter in STRENGTHS and value < 0.0:
        raise GambolError(f"{parameter} is {value:g}; give 0 or more")
    body.numbers[parameter] = value
    body.lines = {name: line for name, line in body.lines.items() if name != parameter} | {parameter: stage.where}
    if parameter in ("e_q", "k_q") and corpus.ready:
        stage.edit(corpus, carry.rest_at(body.name, value))


def _compare(stage: "Stage", corpus: Corpus, name: str, value: float) -> None:
    """Warn of an angle that is its mirror image's with the decimal point elsewhere. [McKenna 1990, appendix C]"""
    body, mirror = corpus.bodies[name], _mirror(corpus, name)
    body.angle = value
    if mirror and mirror.angle and value:
        other = mirror.angle
        ratio = abs(value / other)
        if any(abs(ratio - power) < SLIPPED * power for power in (0.01, 0.1, 10.0, 100.0)):
            stage.warn(
                f'"{name}" is put at {value:g}, its mirror image "{mirror.name}" at {other:g}: '
                "has a decimal point slipped? Both are kept"
            )


def _mirror(corpus: Corpus, name: str) -> Body | None:
    """The body on the other side, by the names of the thesis: leg_mr1 and leg_ml1."""
    found = re.fullmatch(r"(leg_\w)([lr])(\d+)", name)
    return corpus.bodies.get(found[1] + {"l": "r", "r": "l"}[found[2]] + found[3]) if found else None


def _jointmatchexp(stage: "Stage", values: Values) -> None:
    corpus = stage.building()
    body = corpus.body(values[0])
    corpus.finished()
    state = stage.live()
    angle = float(state.rows[carry.coordinate(state.world.figure, body.name)[0], 0])
    _set_number(stage, corpus, body, "e_q", angle)


def _jointstatus(stage: "Stage", values: Values) -> None:
    corpus = stage.building()
    name = corpus.body(values[0]).name
    corpus.finished()
    if stage.rehearsing:
        return
    state = stage.live()
    q, v = (float(state.rows[row, 0]) for row in carry.coordinate(state.world.figure, name))
    text = f"joint {name}: q {q:.10g} dq {v:.10g}"
    if name in state.world.resolved:
        at = carry.coordinate(state.world.figure, name)[1] - state.world.figure.nq
        text += f" e_q {carry.rest_of(state, name):.10g} Q {at_joints(state)[0][at]:.10g}"
    stage.say(text)


def _motor(stage: "Stage", values: Values) -> None:
    name, _, target, lasts = values
    corpus = stage.building()
    body = corpus.body(name)
    if name == corpus.root or body.spring() is None:
        raise GambolError(f'the joint of "{name}" has no spring whose rest angle a motor could move; give it ea and eB')
    stage.edit(corpus, carry.motor(name, target, lasts.value))


ROWS = (
    Row(
        "joint",
        f"body parameter:{PARAMETERS} value",
        "sets a joint's angle q or speed dq; its springs k, k_q and ea, eB, e_q; its damper b; its limits l_min, l_max "
        "with spring l_k and damper l_b; an extra force; which of them act (Q_type: 1 damper + 2 linear + 4 limits + "
        "8 extra + 16 exponential); and what scales them (springtype: none, mass or distalmass)",
        _joint,
    ),
    Row(
        "motor", "body what:etarget|ktarget target:number time:time", "sends a rest angle to a target in a time", _motor
    ),
    Row("jointmatchexp", "body", "makes the angle at which a joint is the rest angle of its spring", _jointmatchexp),
    Row("jointstatus", "body", "tells angle, speed, rest angle and force of a joint", _jointstatus),
)
