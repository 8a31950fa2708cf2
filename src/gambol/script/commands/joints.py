"""Commands that set springs, dampers and limits of joints, and move their rest angles."""

import re
from typing import TYPE_CHECKING

from gambol.errors import GambolError, did_you_mean
from gambol.script import state_edits
from gambol.script.corpus import ALL_FLAGS, SCALES, Body, Corpus
from gambol.script.joint_forces import joint_forces_and_accelerations
from gambol.script.language.command import Definition, Values

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter

NUMBERS = ("k", "k_q", "b", "ea", "eB", "e_q", "l_min", "l_max", "l_k", "l_b", "extra")
"""Parameters of a joint's springs, damper, limits and extra force."""

STRENGTHS = ("k", "b", "ea", "eB", "l_k", "l_b")
"""The parameters that cannot be negative."""

PARAMETERS = "q|dq|Q_type|springtype|" + "|".join(NUMBERS)

RATIO_TOLERANCE = 1e-9  # relative: if the ratio of two angles is a power of ten, a decimal point may be misplaced


def _joint(interp: "Interpreter", values: Values) -> None:
    name, parameter, word = values
    corpus = interp.current_corpus()
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
        if value != int(value) or int(value) & ~ALL_FLAGS:
            raise GambolError(
                f"Q_type {word[:40]} is not a sum of 1 (damper), 2 (linear spring), 4 (limits), 8 (extra) and "
                "16 (exponential spring)"
            )
        body.Q_type = int(value)
    elif parameter == "q":
        interp.edit_state(corpus, state_edits.set_joint(name, value))
        _compare_mirror(interp, corpus, name, value)
    elif parameter == "dq":
        interp.edit_state(corpus, state_edits.set_joint_velocity(name, value))
    else:
        _set_number(interp, corpus, body, parameter, value)


def _value(parameter: str, word: str) -> float:
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?", word, re.ASCII) or abs(float(word)) > 1e12:
        raise GambolError(f'{parameter} is "{word[:40]}"; it should be a number')
    return float(word)


def _set_number(interp: "Interpreter", corpus: Corpus, body: Body, parameter: str, value: float) -> None:
    if parameter in STRENGTHS and value < 0.0:
        raise GambolError(f"{parameter} is {value:g}; give 0 or more")
    body.numbers[parameter] = value
    body.lines = {name: line for name, line in body.lines.items() if name != parameter} | {parameter: interp.where}
    if parameter in ("e_q", "k_q") and corpus.is_made:
        interp.edit_state(corpus, state_edits.set_rest_angle(body.name, value))


def _compare_mirror(interp: "Interpreter", corpus: Corpus, name: str, value: float) -> None:
    """Warn if the angles of a body and its mirror image differ in the decimal point only. [McKenna 1990, appendix C]"""
    body, mirror = corpus.bodies[name], _mirror_body(corpus, name)
    body.angle = value
    if mirror and mirror.angle and value:
        mirror_angle = mirror.angle
        ratio = abs(value / mirror_angle)
        if any(abs(ratio - power) < RATIO_TOLERANCE * power for power in (0.01, 0.1, 10.0, 100.0)):
            interp.warn(
                f'"{name}" is set to {value:g}, its mirror image "{mirror.name}" to {mirror_angle:g}: '
                "is a decimal point in the wrong place? Both values are used"
            )


def _mirror_body(corpus: Corpus, name: str) -> Body | None:
    """Return the body on the other side. Names are as in the thesis, such as leg_mr1 and leg_ml1."""
    match = re.fullmatch(r"(leg_\w)([lr])(\d+)", name)
    return corpus.bodies.get(match[1] + {"l": "r", "r": "l"}[match[2]] + match[3]) if match else None


def _jointmatchexp(interp: "Interpreter", values: Values) -> None:
    corpus = interp.current_corpus()
    body = corpus.body(values[0])
    corpus.check_made()
    state = interp.corpus_state(corpus)
    angle = float(state.rows[state_edits.coordinate_rows(state, body.name)[0], 0])
    _set_number(interp, corpus, body, "e_q", angle)


def _jointstatus(interp: "Interpreter", values: Values) -> None:
    corpus = interp.current_corpus()
    name = corpus.body(values[0]).name
    corpus.check_made()
    if interp.is_dry_run:
        return
    state = interp.corpus_state(corpus)
    q, v = (float(state.rows[row, 0]) for row in state_edits.coordinate_rows(state, name))
    text = f"joint {name}: q {q:.10g} dq {v:.10g}"
    if state.links[name] in state.world.resolved_springs:
        forces, k = (
            joint_forces_and_accelerations(state.state, interp.built_world().cut)[0],
            int(state.link(name).v.start),
        )
        force = forces[k]
        text += f" e_q {state_edits.rest_angle(state, name):.10g} Q {force:.10g}"
    interp.print_line(text)


def _cut(interp: "Interpreter", values: Values) -> None:
    name, switch = values
    corpus = interp.current_corpus()
    if corpus.body(name).name == corpus.root:
        raise GambolError(f'"{name}" is the root, which cannot be cut off; name a body that hangs on it, such as a leg')
    corpus.check_made()
    if interp.matter is not None:
        raise GambolError("limbs cannot be cut off in a world with cloth, ropes or particles")
    if switch == "off":
        corpus.cut.discard(name)
    else:
        corpus.cut.add(name)


def _motor(interp: "Interpreter", values: Values) -> None:
    name, _, target, duration = values
    corpus = interp.current_corpus()
    body = corpus.body(name)
    if name == corpus.root or body.spring() is None:
        raise GambolError(f'the joint of "{name}" has no spring whose rest angle a motor could move; give it ea and eB')
    interp.edit_state(corpus, state_edits.start_motor(name, target, duration.value))


DEFINITIONS = (
    Definition(
        "joint",
        f"body parameter:{PARAMETERS} value",
        "sets a joint's angle q or speed dq; its springs k, k_q and ea, eB, e_q; its damper b; its limits l_min, l_max "
        "with spring l_k and damper l_b; an extra force; which of them act (Q_type: 1 damper + 2 linear + 4 limits + "
        "8 extra + 16 exponential); and what scales them (springtype: none, mass or distalmass)",
        _joint,
    ),
    Definition(
        "motor",
        "body kind:etarget|ktarget target:number time:time",
        "moves a rest angle to a target in a given time",
        _motor,
    ),
    Definition(
        "jointmatchexp",
        "body",
        "sets the rest angle of a joint's spring to the current angle of the joint",
        _jointmatchexp,
    ),
    Definition("jointstatus", "body", "outputs angle, speed, rest angle and force of a joint", _jointstatus),
    Definition(
        "cut",
        "body switch:on|off?",
        "cuts off a body with all that hangs on it, such as a leg, which then never steps; off: puts it back",
        _cut,
        is_extension=True,
    ),
)
