"""Commands that build figures from objects, place them in the world, and attach them to it."""

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from gambol.contact import Attachment
from gambol.errors import GambolError
from gambol.figure import Matrix3, Part
from gambol.figure.rotation import check_rotation
from gambol.script import state_edits
from gambol.script.corpus import Body, Corpus
from gambol.script.graphic_objects import Transform
from gambol.script.language.command import Definition, Values
from gambol.script.script_attachment import ScriptAttachment, breaking_length
from gambol.spatial import Vector

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter

FLAGS = "inertial:0|1? colliding:0|1? convex:0|1? velocity_test:0|1?"
JOINT_KINDS = {"rotary": "revolute", "sliding": "prismatic"}
"""The kinds of joints by their names in scripts."""

WORLD = ("world", "ground")
"""The names of the world in attachments."""


def _addcorpus(interp: "Interpreter", values: Values) -> None:
    (name,) = values
    if any(name in spec.corpora for spec in interp.specs.values()) or name in interp.spec.corpora:
        raise GambolError(f'there is a corpus "{name}" already; give this one another name')
    interp.corpus = interp.spec.corpora[name] = Corpus(name)


def _setcorpus(interp: "Interpreter", values: Values) -> None:
    interp.corpus = interp.spec.corpus(values[0])


def _make_part(interp: "Interpreter", name: str, density: float, inertial: str | None, colliding: str | None) -> Part:
    """Make a part with properties density [kg/m3], inertial and colliding from an object, and remove the object."""
    part = interp.graphic_object(name).part(density, inertial != "0", colliding != "0")
    del interp.graphic_objects[name]
    return part


def _addbody(interp: "Interpreter", values: Values) -> None:
    name, instance, x, y, z, kind, density, inertial, colliding, _, _ = values
    corpus = interp.current_corpus()
    corpus.check_not_made("give addbody before that")
    if name in corpus.bodies:
        raise GambolError(f'there is a body "{name}" already; give this one another name')
    if name != instance and name in interp.graphic_objects:
        raise GambolError(f'"{name}" is an object already; give the body another name, or make it from that object')
    _check_direction(name, x, y, z)
    corpus.bodies[name] = Body(
        name, [_make_part(interp, instance, density, inertial, colliding)], (x, y, z), JOINT_KINDS[kind]
    )


def _check_direction(name: str, x: float, y: float, z: float) -> None:
    if x == y == z == 0.0:
        raise GambolError(f'the axis of "{name}" has no direction; give a direction such as 0 0 1')


def _addpart(interp: "Interpreter", values: Values) -> None:
    _, instance, body, density, inertial, colliding, _, _ = values
    corpus = interp.current_corpus()
    corpus.check_not_made("give addpart before that")
    corpus.body(body).parts.append(_make_part(interp, instance, density, inertial, colliding))


def _setroot(interp: "Interpreter", values: Values) -> None:
    corpus = interp.current_corpus()
    corpus.check_not_made("give setroot before that")
    corpus.root = corpus.body(values[0]).name


def _linkbodies(interp: "Interpreter", values: Values) -> None:
    parent, child = values
    corpus = interp.current_corpus()
    corpus.check_not_made("give linkbodies before that")
    body = corpus.body(child)
    if body.parent is not None:
        raise GambolError(f'"{child}" has the parent "{body.parent}" already; a body can have only one parent')
    if parent == child:
        raise GambolError(f'"{child}" cannot be its own parent')
    body.parent = corpus.body(parent).name


def _corpusinit(interp: "Interpreter", values: Values) -> None:
    corpus = interp.current_corpus()
    corpus.check_not_made("give corpusinit only once")
    corpus.figure()
    corpus.is_made = True


def _setjointp(interp: "Interpreter", values: Values) -> None:
    name, x, y, z, kind = values
    body = interp.current_corpus().body(name)
    _check_direction(name, x, y, z)
    body.axis, body.in_parent, body.kind = (x, y, z), True, JOINT_KINDS.get(kind or "", body.kind)


def _bodygroundstick(interp: "Interpreter", values: Values) -> None:
    name, switch = values
    interp.current_corpus().body(name).sticks = switch == "on"


def _maxv(interp: "Interpreter", values: Values) -> None:
    name, linear, angular = values
    corpus = interp.current_corpus()
    corpus.max_speeds[corpus.body(name).name] = (linear, angular)


def _addv(interp: "Interpreter", values: Values) -> None:
    name, x, y, z, a, b, c = values
    corpus = interp.current_corpus()
    if corpus.body(name).name != corpus.root:
        raise GambolError(f'only the root moves freely; give "{name}" a speed by joint {name} dq')
    interp.edit_state(corpus, state_edits.add_root_velocity(Vector(x, y, z), Vector(a, b, c)))


def _place_root(interp: "Interpreter", pose: Transform) -> None:
    """Set the pose of the root in the world."""
    corpus = interp.current_corpus()
    corpus.root_pose, corpus.is_placed, corpus.pending_move = pose, True, Transform()
    interp.edit_state(corpus, state_edits.set_root_pose(pose))


def _setrootmatrix(interp: "Interpreter", values: Values) -> None:
    rows = np.array(values[0]).reshape(4, 4)
    if (rows[:, 3] != (0.0, 0.0, 0.0, 1.0)).any():
        raise GambolError(
            "the last column of the matrix is not 0 0 0 1; its rows are the x, y and z axis and the position"
        )
    x, y, z, position = ((float(row[0]), float(row[1]), float(row[2])) for row in rows)
    R: Matrix3 = ((x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2]))
    check_rotation(R, "the root")
    _place_root(interp, Transform(R, position))


def _setrootpos(interp: "Interpreter", values: Values) -> None:
    corpus = interp.current_corpus()
    corpus.check_made()
    move, corpus.pending_move, corpus.is_placed = corpus.pending_move, Transform(), True
    corpus.root_pose = move.after(corpus.root_pose)
    interp.edit_state(corpus, state_edits.move_root(move))


def _setdown(interp: "Interpreter", values: Values) -> None:
    corpus = interp.current_corpus()
    corpus.is_placed = True
    interp.edit_state(corpus, state_edits.set_down(state_edits.DEFAULT_DROP if values[0] is None else values[0]))


def _rootmotion(interp: "Interpreter", values: Values) -> None:
    corpus = interp.current_corpus()
    base = values[0]
    if base == corpus.base:
        return
    if corpus.name in interp.saved or interp.edits.get(corpus.name):
        corpus.root_pose = state_edits.root_pose(interp.corpus_state(corpus))
    corpus.base = base
    if base == "free" and corpus.is_made:
        interp.edit_state(corpus, state_edits.set_root_pose(corpus.root_pose))


def _integrate(interp: "Interpreter", values: Values) -> None:
    name, switch = values
    interp.spec.corpus(name).is_integrated = switch != "off"


def _totalmass(interp: "Interpreter", values: Values) -> None:
    interp.print_line(f"mass of {interp.current_corpus().name}: {interp.current_corpus().figure().mass:.10g} kg")


def _updatev(interp: "Interpreter", values: Values) -> None:
    interp.current_corpus()  # velocities of links are always computed when needed


def _attach(interp: "Interpreter", values: Values) -> None:
    body, other, *numbers, break_length = values
    x, y, z, a, b, c, k, ea, eB, e = numbers
    position_a, position_b = (x, y, z), (a, b, c)
    if body in WORLD:
        body, other, position_a, position_b = other, body, position_b, position_a
    corpus, name = interp.spec.find_body(body, interp.current_corpus())
    other_corpus, other_name = (None, None) if other in WORLD else interp.spec.find_body(other, corpus)
    if (other_corpus, other_name) == (corpus, name):
        raise GambolError(f'it attaches "{name}" to itself; name another body, or world')
    attachment = Attachment(
        name,
        other_name,
        position_a,
        position_b,
        k,
        ea if eB else 0.0,
        eB or 1.0,
        e,
        breaks_at=break_length or np.inf,
    )
    interp.spec.attachments.append(
        ScriptAttachment(corpus.name, other_corpus.name if other_corpus else None, attachment, interp.where)
    )


def _breakforce(interp: "Interpreter", values: Values) -> None:
    if not interp.spec.attachments:
        raise GambolError("there is no attachment yet; make one by attach")
    last = interp.spec.attachments[-1]
    length = breaking_length(last.attachment, values[0])
    last.attachment = replace(last.attachment, breaks_at=length)


XYZ = "x:number y:number z:number"
DEFINITIONS = (
    Definition("addcorpus", "corpus", "begins a figure, and makes it the current one", _addcorpus),
    Definition("setcorpus", "corpus", "makes a figure the current one", _setcorpus),
    Definition(
        "addbody",
        f"body obj {XYZ} kind:sliding|rotary density:number {FLAGS}",
        "makes an object a body; its joint axis is in its own frame, its density in kg/m3; "
        "flags (0 or 1): it has mass, it collides, and two without effect",
        _addbody,
    ),
    Definition(
        "addpart",
        f"part obj body density:number {FLAGS}",
        "fixes an object to a body, with the same pose in the body's frame; flags as for addbody",
        _addpart,
    ),
    Definition("setroot", "body", "sets the root body, whose parent is the world", _setroot),
    Definition(
        "linkbodies",
        "parent child",
        "makes a body the child of another, with the pose from its moves and rotations",
        _linkbodies,
    ),
    Definition("corpusinit", "", "makes the figure; afterwards only its joints and its root can move", _corpusinit),
    Definition(
        "setjointp", f"body {XYZ} kind:sliding|rotary?", "sets the axis of a joint, in the parent's frame", _setjointp
    ),
    Definition("rootmotion", "base:fixed|free", "fixes the root at its current pose, or frees it", _rootmotion),
    Definition("setrootpos", "", "applies the moves and rotations of the root since the last setrootpos", _setrootpos),
    Definition(
        "setrootmatrix",
        "rows:matrix",
        "sets the pose of the root by four rows: x axis, y axis, z axis, position [m]",
        _setrootmatrix,
    ),
    Definition(
        "setdown",
        "drop:number?",
        "puts the figure at a height above the ground [m]; the default is 1 mm",
        _setdown,
        is_extension=True,
    ),
    Definition(
        "addv",
        f"body {XYZ} a:number b:number c:number",
        "adds to the root's velocity, in world axes [m/s, rad/s]",
        _addv,
    ),
    Definition(
        "maxv",
        "body linear:number angular:number",
        "outputs a line if a body is faster than these limits [m/s, rad/s]",
        _maxv,
    ),
    Definition("updatev", "", "accepted: velocities of bodies are always up to date", _updatev),
    Definition("integrate", "corpus switch:on|off?", "switches the simulation of a figure on or off", _integrate),
    Definition(
        "bodygroundstick",
        "body switch:on|off",
        "sets whether a body sticks to the ground while its leg stands",
        _bodygroundstick,
    ),
    Definition("totalmass", "", "outputs the mass of the current figure", _totalmass),
    Definition(
        "attach",
        f"body1 body2 {XYZ} x2:number y2:number z2:number k:number ea:number eB:number e:number break_length:number?",
        "connects two bodies (of any corpora: corpus/body), or a body and the world, by a spring that breaks "
        "permanently at a length [m, N/m, N, 1/m]",
        _attach,
    ),
    Definition(
        "breakforce", "force:number", "sets the force at which the last attachment breaks [N]", _breakforce, True
    ),
)
