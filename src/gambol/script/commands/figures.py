"""Commands that build figures out of objects, put them into the world, and tie them to it."""

from typing import TYPE_CHECKING

import numpy as np

from gambol.contact import Attachment
from gambol.errors import GambolError
from gambol.figure import Matrix3, Part
from gambol.figure.rotation import check_rotation
from gambol.script import carry
from gambol.script.corpus import Body, Corpus
from gambol.script.language.row import Row, Values
from gambol.script.things import Transform
from gambol.spatial import Vector

if TYPE_CHECKING:
    from gambol.script.stage import Stage

FLAGS = "inertial:0|1? colliding:0|1? convex:0|1? velocity_test:0|1?"
WORLD = ("world", "ground")
"""What the second body of an attachment is called where there is none."""


def _addcorpus(stage: "Stage", values: Values) -> None:
    (name,) = values
    if any(name in setting.corpora for setting in stage.settings.values()) or name in stage.setting.corpora:
        raise GambolError(f'there is a corpus "{name}" already; give this one another name')
    stage.corpus = stage.setting.corpora[name] = Corpus(name)


def _setcorpus(stage: "Stage", values: Values) -> None:
    stage.corpus = stage.setting.corpus(values[0])


def _part(stage: "Stage", name: str, density: float, inertial: str | None, colliding: str | None) -> Part:
    """The part that an object becomes; the object is used up."""
    part = stage.thing(name).part(density, inertial != "0", colliding != "0")
    del stage.things[name]
    return part


def _addbody(stage: "Stage", values: Values) -> None:
    name, instance, x, y, z, kind, density, inertial, colliding, _, _ = values
    corpus = stage.building()
    corpus.unfinished("give addbody")
    if name in corpus.bodies:
        raise GambolError(f'there is a body "{name}" already; give this one another name')
    if name != instance and name in stage.things:
        raise GambolError(f'"{name}" is an object already; give the body another name, or make it of that object')
    _direction(name, x, y, z)
    corpus.bodies[name] = Body(name, [_part(stage, instance, density, inertial, colliding)], (x, y, z), kind)


def _direction(name: str, x: float, y: float, z: float) -> None:
    if x == y == z == 0.0:
        raise GambolError(f'the axis of "{name}" points nowhere; give a direction such as 0 0 1')


def _addpart(stage: "Stage", values: Values) -> None:
    _, instance, body, density, inertial, colliding, _, _ = values
    corpus = stage.building()
    corpus.unfinished("give addpart")
    corpus.body(body).parts.append(_part(stage, instance, density, inertial, colliding))


def _setroot(stage: "Stage", values: Values) -> None:
    corpus = stage.building()
    corpus.unfinished("give setroot")
    corpus.root = corpus.body(values[0]).name


def _linkbodies(stage: "Stage", values: Values) -> None:
    parent, child = values
    corpus = stage.building()
    corpus.unfinished("give linkbodies")
    body = corpus.body(child)
    if body.parent is not None:
        raise GambolError(f'"{child}" hangs on "{body.parent}" already; a body has one parent')
    if parent == child:
        raise GambolError(f'"{child}" cannot hang on itself')
    body.parent = corpus.body(parent).name


def _corpusinit(stage: "Stage", values: Values) -> None:
    corpus = stage.building()
    corpus.unfinished("it is made once;")
    corpus.figure()
    corpus.ready = True


def _setjointp(stage: "Stage", values: Values) -> None:
    name, x, y, z, kind = values
    body = stage.building().body(name)
    _direction(name, x, y, z)
    body.axis, body.in_parent, body.kind = (x, y, z), True, kind or body.kind


def _bodygroundstick(stage: "Stage", values: Values) -> None:
    name, switch = values
    stage.building().body(name).sticks = switch == "on"


def _maxv(stage: "Stage", values: Values) -> None:
    name, linear, angular = values
    corpus = stage.building()
    corpus.fastest[corpus.body(name).name] = (linear, angular)


def _addv(stage: "Stage", values: Values) -> None:
    name, x, y, z, a, b, c = values
    corpus = stage.building()
    if corpus.body(name).name != corpus.root:
        raise GambolError(f'only the root moves freely; give "{name}" a speed by joint {name} dq')
    stage.edit(corpus, carry.root_speed(Vector(x, y, z), Vector(a, b, c)))


def _place(stage: "Stage", where: Transform) -> None:
    """Put the root somewhere in the world."""
    corpus = stage.building()
    corpus.place, corpus.placed, corpus.pending = where, True, Transform()
    stage.edit(corpus, carry.put(where))


def _setrootmatrix(stage: "Stage", values: Values) -> None:
    rows = np.array(values[0]).reshape(4, 4)
    if (rows[:, 3] != (0.0, 0.0, 0.0, 1.0)).any():
        raise GambolError("the last column of the matrix is not 0 0 0 1; its rows are x, y, z axis and the place")
    x, y, z, place = ((float(row[0]), float(row[1]), float(row[2])) for row in rows)
    R: Matrix3 = ((x[0], y[0], z[0]), (x[1], y[1], z[1]), (x[2], y[2], z[2]))
    check_rotation(R, "the root")
    _place(stage, Transform(R, place))


def _setrootpos(stage: "Stage", values: Values) -> None:
    corpus = stage.building()
    corpus.finished()
    by, corpus.pending, corpus.placed = corpus.pending, Transform(), True
    corpus.place = by.after(corpus.place)
    stage.edit(corpus, carry.moved(by))


def _setdown(stage: "Stage", values: Values) -> None:
    corpus = stage.building()
    corpus.placed = True
    stage.edit(corpus, carry.set_down(carry.DROP if values[0] is None else values[0]))


def _rootmotion(stage: "Stage", values: Values) -> None:
    corpus = stage.building()
    base = values[0]
    if base == corpus.base:
        return
    if corpus.state is not None or corpus.edits:
        corpus.place = carry.pose(stage.live())
    corpus.base = base
    if base == "free" and corpus.ready:
        stage.edit(corpus, carry.put(corpus.place))


def _integrate(stage: "Stage", values: Values) -> None:
    name, switch = values
    stage.setting.corpus(name).integrated = switch != "off"


def _totalmass(stage: "Stage", values: Values) -> None:
    stage.say(f"mass of {stage.building().name}: {stage.building().figure().mass:.10g} kg")


def _updatev(stage: "Stage", values: Values) -> None:
    stage.building()  # velocities of links are worked out whenever they are needed


def _attach(stage: "Stage", values: Values) -> None:
    body, other, *numbers, break_length = values
    corpus = stage.building()
    x, y, z, a, b, c, k, ea, eB, e = numbers
    here, there = (x, y, z), (a, b, c)
    if body in WORLD:
        body, other, here, there = other, body, there, here
    name = None if other in WORLD else corpus.body(other).name
    attachment = Attachment(
        corpus.body(body).name, name, here, there, k, ea if eB else 0.0, eB or 1.0, e, breaks_at=break_length or np.inf
    )
    stage.setting.attachments.append(attachment)


XYZ = "x:number y:number z:number"
ROWS = (
    Row("addcorpus", "corpus", "begins a figure, and makes it the current one", _addcorpus),
    Row("setcorpus", "corpus", "makes a figure the current one", _setcorpus),
    Row(
        "addbody",
        f"body obj {XYZ} kind:sliding|rotary density:number {FLAGS}",
        "makes an object a body; axis in its own frame, density [kg/m3]; "
        "whether it has mass, whether it touches (0 or 1), and two flags that change nothing",
        _addbody,
    ),
    Row(
        "addpart",
        f"part obj body density:number {FLAGS}",
        "fixes an object to a body, as it stands there; flags as of addbody",
        _addpart,
    ),
    Row("setroot", "body", "says which body hangs on the world", _setroot),
    Row("linkbodies", "parent child", "hangs a body on another, where moves and turns have put it", _linkbodies),
    Row("corpusinit", "", "makes the figure; from now on only its joints and its root move", _corpusinit),
    Row("setjointp", f"body {XYZ} kind:sliding|rotary?", "gives a joint's axis in the parent's frame", _setjointp),
    Row("rootmotion", "how:fixed|free", "holds the root where it is, or lets it go", _rootmotion),
    Row("setrootpos", "", "puts the root where moves and turns of it have led since last time", _setrootpos),
    Row("setrootmatrix", "rows:matrix", "puts the root; four rows: x, y, z axis and place [m]", _setrootmatrix),
    Row("setdown", "drop:number?", "puts the root above the ground; it falls so far [m], or 1 mm", _setdown, ours=True),
    Row(
        "addv", f"body {XYZ} a:number b:number c:number", "adds to the root's velocity [m/s, rad/s], world axes", _addv
    ),
    Row("maxv", "body linear:number angular:number", "warns when a body is faster [m/s, rad/s]", _maxv),
    Row("updatev", "", "accepted: velocities of bodies are always up to date", _updatev),
    Row("integrate", "corpus switch:on|off?", "puts a figure on the integration list, or takes it off", _integrate),
    Row(
        "bodygroundstick",
        "body switch:on|off",
        "lets a body hold on to the ground while its leg stands",
        _bodygroundstick,
    ),
    Row("totalmass", "", "tells the mass of the current figure", _totalmass),
    Row(
        "attach",
        f"body1 body2 {XYZ} x2:number y2:number z2:number k:number ea:number eB:number e:number break_length:number?",
        "ties two bodies, or a body and the world, by a spring that may break [m, N/m, N, 1/m]",
        _attach,
    ),
)
