"""Commands that set camera and light over time, which pictures and videos follow."""

from typing import TYPE_CHECKING

from gambol.errors import GambolError
from gambol.script.language.command import Definition, Values

if TYPE_CHECKING:
    from gambol.script.interpreter import Interpreter


def _camera(interp: "Interpreter", values: Values) -> None:
    time, *place = values
    if place[:3] == place[3:]:
        raise GambolError("the camera is at the point that it looks at; give two different points")
    interp.shots.setdefault("camera", []).append((time, tuple(place)))


def _light(interp: "Interpreter", values: Values) -> None:
    time, x, y, z = values
    if not z > 0.0:
        raise GambolError(f"the light comes from below (z = {z:g}); give a direction towards it with z above 0")
    interp.shots.setdefault("light", []).append((time, (x, y, z)))


DEFINITIONS = (
    Definition(
        "camera",
        "time:number x:number y:number z:number tx:number ty:number tz:number",
        "sets where the camera is at a time of the film [s, m], and the point tx ty tz at which it looks",
        _camera,
        is_extension=True,
    ),
    Definition(
        "light",
        "time:number x:number y:number z:number",
        "sets the direction towards the light at a time of the film [s]",
        _light,
        is_extension=True,
    ),
)
