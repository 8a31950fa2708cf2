"""Commands that create, transform and remove graphic objects."""

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Matrix3, rotation_about
from gambol.figure.color import color_text
from gambol.script.graphic_objects import ORIGIN, SOLIDS, GraphicObject, Transform
from gambol.script.language.command import Definition, Values

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter


def _transform(interp: "Interpreter", name: str) -> Transform:
    """Return the transform of a body under construction, of the root of a made figure, or of an object."""
    corpus = interp.corpus
    if corpus is None or name not in corpus.bodies:
        return interp.graphic_object(name).transform
    if not corpus.is_made:
        return corpus.bodies[name].pose
    if name != corpus.root:
        raise GambolError(
            f'the figure is made; move "{name}" by its joint (joint {name} q), or the whole figure by its root'
        )
    return corpus.pending_move


def _set_transform(interp: "Interpreter", name: str, transform: Transform) -> None:
    corpus = interp.corpus
    if corpus is None or name not in corpus.bodies:
        interp.graphic_object(name).transform = transform
    elif not transform.rigid:
        raise GambolError(f'"{name}" is a body, which cannot be scaled; scale its object before addbody')
    elif corpus.is_made:
        corpus.pending_move = transform
    else:
        corpus.bodies[name].pose = transform


def _premult(interp: "Interpreter", values: Values) -> None:
    interp.premultiply = True


def _postmult(interp: "Interpreter", values: Values) -> None:
    interp.premultiply = False


def _localxforms(interp: "Interpreter", values: Values) -> None:
    interp.centre = ORIGIN


def _xformcenter(interp: "Interpreter", values: Values) -> None:
    x, y, z = values
    interp.centre = (x, y, z)


def _get(interp: "Interpreter", values: Values) -> None:
    name, _, file = values
    if name in interp.graphic_objects:
        raise GambolError(f'there is an object "{name}" already; remove it by closeobj, or give another name')
    if interp.corpus is not None and name in interp.corpus.bodies:
        raise GambolError(f'"{name}" is a body already; give the object another name')
    instance = file.replace("\\", "/").rpartition("/")[2]
    heights = file if file.endswith((".csv", ".npy")) else ""
    if instance not in SOLIDS and not heights:
        raise GambolError(
            f'"{instance}" is not an object of gambol; {did_you_mean(instance, SOLIDS)} (or heights: .csv, .npy)'
        )
    interp.graphic_objects[name] = GraphicObject(name, instance, heights)


def _closeobj(interp: "Interpreter", values: Values) -> None:
    del interp.graphic_objects[interp.graphic_object(values[0]).name]


def _pushobj(interp: "Interpreter", values: Values) -> None:
    graphic = interp.graphic_object(values[0])
    graphic.pushed.append(graphic.transform)


def _popobj(interp: "Interpreter", values: Values) -> None:
    graphic = interp.graphic_object(values[0])
    if not graphic.pushed:
        raise GambolError(f'there is no saved transform of "{graphic.name}"; give pushobj first')
    graphic.transform = graphic.pushed.pop()


def _init(interp: "Interpreter", values: Values) -> None:
    _transform(interp, values[0])
    _set_transform(interp, values[0], Transform())


def _scale(interp: "Interpreter", values: Values) -> None:
    name, x, y, z = values
    _set_transform(interp, name, _transform(interp, name).scaled((x, y, z), interp.centre, interp.premultiply))


def _center(interp: "Interpreter", values: Values) -> None:
    graphic = interp.graphic_object(values[0])
    graphic.transform = Transform(graphic.transform.linear, ORIGIN, graphic.transform.rigid)


def _move(interp: "Interpreter", values: Values) -> None:
    name, x, y, z = values
    _set_transform(interp, name, _transform(interp, name).moved((x, y, z), interp.premultiply))


def _rotate_by(interp: "Interpreter", name: str, R: Matrix3) -> None:
    _set_transform(interp, name, _transform(interp, name).turned(R, interp.centre, interp.premultiply))


def _rotate(interp: "Interpreter", values: Values) -> None:
    name, axis, degrees = values
    _rotate_by(interp, name, rotation_about(axis, math.radians(degrees)))


def _rotateaxis(interp: "Interpreter", values: Values) -> None:
    name, x, y, z, degrees = values
    _rotate_by(interp, name, rotation_about((x, y, z), math.radians(degrees)))


def _color(interp: "Interpreter", values: Values) -> None:
    name, red, green, blue = values
    color = color_text(red, green, blue)
    if interp.corpus is not None and name in interp.corpus.bodies:
        body = interp.corpus.bodies[name]
        body.parts = [replace(part, color=color) for part in body.parts]
    else:
        interp.graphic_object(name).color = color


DEFINITIONS = (
    Definition("postmult", "", "a transform applies after the earlier ones, along fixed axes (the default)", _postmult),
    Definition("premult", "", "a transform applies before the earlier ones, in the object's own axes", _premult),
    Definition(
        "xformcenter", "x:number y:number z:number", "sets the centre of rotations and scalings [m]", _xformcenter
    ),
    Definition("localxforms", "", "resets the centre of rotations and scalings to the origin", _localxforms),
    Definition("get", "obj from:from|? file:file", "makes an object: a solid 1 m wide, or a grid of heights", _get),
    Definition("closeobj", "obj", "removes an object", _closeobj),
    Definition("pushobj", "obj", "saves the transform of an object", _pushobj),
    Definition("popobj", "obj", "restores the transform that was saved last", _popobj),
    Definition("init", "obj", "resets the transform of an object or a body", _init),
    Definition("scale", "obj x:number y:number z:number", "scales an object along three axes", _scale),
    Definition("center", "obj", "puts the centre of an object at the origin", _center),
    Definition(
        "move",
        "obj x:number y:number z:number",
        "moves an object, a body in its parent's frame, or the root [m]",
        _move,
    ),
    Definition(
        "rotate",
        "obj axis:x|y|z angle:number",
        "rotates an object, a body or the root about an axis [degrees]",
        _rotate,
    ),
    Definition(
        "rotateaxis",
        "obj x:number y:number z:number angle:number",
        "rotates an object, a body or the root about any axis [degrees]",
        _rotateaxis,
    ),
    Definition(
        "color",
        "obj red:number green:number blue:number",
        "sets the colour of an object, or of all parts that a body has so far; three numbers from 0 to 1",
        _color,
        is_extension=True,
    ),
)
