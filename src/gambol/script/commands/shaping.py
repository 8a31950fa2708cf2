"""Commands that fetch graphic objects and put them somewhere."""

import math
from typing import TYPE_CHECKING

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Matrix3, rotation_about
from gambol.script.language.row import Row, Values
from gambol.script.things import ORIGIN, SOLIDS, Thing, Transform

if TYPE_CHECKING:
    from gambol.script.stage import Stage


def _where_it_is(stage: "Stage", name: str) -> Transform:
    """The transform of a body that is being placed, or else of an object."""
    corpus = stage.corpus
    if corpus is None or name not in corpus.bodies:
        return stage.thing(name).transform
    if not corpus.ready:
        return corpus.bodies[name].pose
    if name != corpus.root:
        raise GambolError(f'the figure is made; its joints move "{name}" (joint {name} q), and its root all of it')
    return corpus.pending


def _put(stage: "Stage", name: str, where: Transform) -> None:
    corpus = stage.corpus
    if corpus is None or name not in corpus.bodies:
        stage.thing(name).transform = where
    elif not where.rigid:
        raise GambolError(f'"{name}" is a body, whose size is settled; scale its object before addbody')
    elif corpus.ready:
        corpus.pending = where
    else:
        corpus.bodies[name].pose = where


def _premult(stage: "Stage", values: Values) -> None:
    stage.before = True


def _postmult(stage: "Stage", values: Values) -> None:
    stage.before = False


def _localxforms(stage: "Stage", values: Values) -> None:
    stage.centre = ORIGIN


def _xformcenter(stage: "Stage", values: Values) -> None:
    x, y, z = values
    stage.centre = (x, y, z)


def _get(stage: "Stage", values: Values) -> None:
    name, _, file = values
    if name in stage.things:
        raise GambolError(f'there is an object "{name}" already; close it by closeobj, or give another name')
    if stage.corpus is not None and name in stage.corpus.bodies:
        raise GambolError(f'"{name}" is a body already; give the object another name')
    instance = file.replace("\\", "/").rpartition("/")[2]
    heights = file if file.endswith((".csv", ".npy")) else ""
    if instance not in SOLIDS and not heights:
        raise GambolError(
            f'"{instance}" is no object that gambol has; {did_you_mean(instance, SOLIDS)} (or heights: .csv, .npy)'
        )
    stage.things[name] = Thing(name, instance, heights)


def _closeobj(stage: "Stage", values: Values) -> None:
    del stage.things[stage.thing(values[0]).name]


def _pushobj(stage: "Stage", values: Values) -> None:
    thing = stage.thing(values[0])
    thing.kept.append(thing.transform)


def _popobj(stage: "Stage", values: Values) -> None:
    thing = stage.thing(values[0])
    if not thing.kept:
        raise GambolError(f'no transform of "{thing.name}" was pushed; give pushobj first')
    thing.transform = thing.kept.pop()


def _init(stage: "Stage", values: Values) -> None:
    _where_it_is(stage, values[0])
    _put(stage, values[0], Transform())


def _scale(stage: "Stage", values: Values) -> None:
    name, x, y, z = values
    _put(stage, name, _where_it_is(stage, name).stretched((x, y, z), stage.centre, stage.before))


def _center(stage: "Stage", values: Values) -> None:
    thing = stage.thing(values[0])
    thing.transform = Transform(thing.transform.linear, ORIGIN, thing.transform.rigid)


def _move(stage: "Stage", values: Values) -> None:
    name, x, y, z = values
    _put(stage, name, _where_it_is(stage, name).moved((x, y, z), stage.before))


def _turn(stage: "Stage", name: str, R: Matrix3) -> None:
    _put(stage, name, _where_it_is(stage, name).turned(R, stage.centre, stage.before))


def _rotate(stage: "Stage", values: Values) -> None:
    name, axis, degrees = values
    _turn(stage, name, rotation_about(axis, math.radians(degrees)))


def _rotateaxis(stage: "Stage", values: Values) -> None:
    name, x, y, z, degrees = values
    _turn(stage, name, rotation_about((x, y, z), math.radians(degrees)))


ROWS = (
    Row("postmult", "", "transforms act after those before them, along fixed axes; so it is to begin with", _postmult),
    Row("premult", "", "transforms act before those before them, in the object's own axes", _premult),
    Row("xformcenter", "x:number y:number z:number", "turns and scalings are about this point [m]", _xformcenter),
    Row("localxforms", "", "turns and scalings are about the origin again", _localxforms),
    Row("get", "obj from:from|? file:file", "makes an object: a solid 1 m wide, or a grid of heights", _get),
    Row("closeobj", "obj", "forgets an object", _closeobj),
    Row("pushobj", "obj", "keeps an object's transform", _pushobj),
    Row("popobj", "obj", "takes back the transform kept last", _popobj),
    Row("init", "obj", "puts an object or a body back to where it began", _init),
    Row("scale", "obj x:number y:number z:number", "scales an object along three axes", _scale),
    Row("center", "obj", "puts the centre of an object at the origin", _center),
    Row("move", "obj x:number y:number z:number", "moves an object, a body in its parent, or the root [m]", _move),
    Row("rotate", "obj axis:x|y|z angle:number", "turns it about an axis [degrees]", _rotate),
    Row("rotateaxis", "obj x:number y:number z:number angle:number", "turns it about any axis [degrees]", _rotateaxis),
)
