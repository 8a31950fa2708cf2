"""gambol simulates and animates legged creatures. What is named here is loaded when it is first used."""

TYPE_CHECKING = False  # that of typing takes 6 ms to import, in which Ctrl-C cannot yet be told in a line
if TYPE_CHECKING:
    from typing import Any

    from gambol.collide import HeightGrid, Plane
    from gambol.collide.hills import random_hills
    from gambol.creatures import Creature, roach, set_down, world_of
    from gambol.creatures.calibration import calibrate
    from gambol.creatures.specimens import set_out, world_of_specimen
    from gambol.creatures.terrain import hills_for, standing_height
    from gambol.dynamics import Dynamics
    from gambol.dynamics.loops import assembled
    from gambol.errors import FigureError, GambolError, TraceError, WorldError
    from gambol.figure import (
        Box,
        Capsule,
        Closure,
        Coupling,
        Cylinder,
        Ellipsoid,
        Figure,
        Frustum,
        HeightField,
        Hull,
        Joint,
        JointSpring,
        Link,
        MassProperties,
        Part,
        Pipe,
        Sphere,
        gathered,
        random_figure,
        random_state,
    )
    from gambol.formats import (
        Specimen,
        gathered_specimens,
        read_figure,
        read_hull,
        read_mjcf,
        read_urdf,
        write_figure,
        write_mjcf,
        write_urdf,
    )
    from gambol.script import read_script
    from gambol.view import write_page, write_pattern, write_picture, write_video
    from gambol.world import Engine, Film, Shove, State, Timing, Walk, World, measure, run, start

__all__ = [
    "Box",
    "Capsule",
    "Closure",
    "Coupling",
    "Creature",
    "Cylinder",
    "Dynamics",
    "Ellipsoid",
    "Engine",
    "Figure",
    "FigureError",
    "Film",
    "Frustum",
    "GambolError",
    "HeightField",
    "HeightGrid",
    "Hull",
    "Joint",
    "JointSpring",
    "Link",
    "MassProperties",
    "Part",
    "Pipe",
    "Plane",
    "Shove",
    "Specimen",
    "Sphere",
    "State",
    "Timing",
    "TraceError",
    "Walk",
    "World",
    "WorldError",
    "assembled",
    "calibrate",
    "gathered",
    "gathered_specimens",
    "hills_for",
    "measure",
    "random_figure",
    "random_hills",
    "random_state",
    "read_figure",
    "read_hull",
    "read_mjcf",
    "read_script",
    "read_urdf",
    "roach",
    "run",
    "set_down",
    "set_out",
    "standing_height",
    "start",
    "world_of",
    "world_of_specimen",
    "write_figure",
    "write_mjcf",
    "write_page",
    "write_pattern",
    "write_picture",
    "write_urdf",
    "write_video",
]

HOMES = {
    "gambol.collide": ("HeightGrid", "Plane"),
    "gambol.collide.hills": ("random_hills",),
    "gambol.creatures": ("Creature", "roach", "set_down", "world_of"),
    "gambol.creatures.calibration": ("calibrate",),
    "gambol.creatures.specimens": ("set_out", "world_of_specimen"),
    "gambol.creatures.terrain": ("hills_for", "standing_height"),
    "gambol.dynamics": ("Dynamics",),
    "gambol.dynamics.loops": ("assembled",),
    "gambol.errors": ("FigureError", "GambolError", "TraceError", "WorldError"),
    "gambol.figure": (
        "Box", "Capsule", "Closure", "Coupling", "Cylinder", "Ellipsoid", "Figure", "Frustum", "HeightField",
        "Hull", "Joint", "JointSpring", "Link", "MassProperties", "Part", "Pipe", "Sphere", "gathered", "random_figure",
        "random_state",
    ),
    "gambol.formats": (
        "Specimen", "gathered_specimens", "read_figure", "read_hull", "read_mjcf", "read_urdf", "write_figure",
        "write_mjcf", "write_urdf",
    ),
    "gambol.script": ("read_script",),
    "gambol.view": ("write_page", "write_pattern", "write_picture", "write_video"),
    "gambol.world": ("Engine", "Film", "Shove", "State", "Timing", "Walk", "World", "measure", "run", "start"),
}  # fmt: skip
_HOME_OF = {name: home for home, names in HOMES.items() for name in names}


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name not in _HOME_OF:
        raise AttributeError(f"module 'gambol' has no attribute {name!r}", name=name, obj=import_module("gambol"))
    value = getattr(import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
