"""gambol simulates and animates legged creatures. Public names are loaded at first use."""

import sys

TYPE_CHECKING = False  # importing typing takes 6 ms, in which Ctrl-C would print a traceback
if TYPE_CHECKING:
    from typing import Any

    from gambol.collide import HeightGrid, Plane
    from gambol.collide.hills import random_hills
    from gambol.creatures import Creature, roach, standing_state, world_of
    from gambol.creatures.calibration import calibrate
    from gambol.creatures.models import initial_state, world_of_model
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
        make_forest,
        random_figure,
        random_state,
    )
    from gambol.formats import (
        Model,
        combine_models,
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
    from gambol.world import Engine, Film, Push, State, Timing, Walk, World, measure, run, start

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
    "Model",
    "Part",
    "Pipe",
    "Plane",
    "Push",
    "Sphere",
    "State",
    "Timing",
    "TraceError",
    "Walk",
    "World",
    "WorldError",
    "assembled",
    "calibrate",
    "combine_models",
    "hills_for",
    "initial_state",
    "make_forest",
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
    "standing_height",
    "standing_state",
    "start",
    "world_of",
    "world_of_model",
    "write_figure",
    "write_mjcf",
    "write_page",
    "write_pattern",
    "write_picture",
    "write_urdf",
    "write_video",
]

MODULES = {
    "gambol.collide": ("HeightGrid", "Plane"),
    "gambol.collide.hills": ("random_hills",),
    "gambol.creatures": ("Creature", "roach", "standing_state", "world_of"),
    "gambol.creatures.calibration": ("calibrate",),
    "gambol.creatures.models": ("initial_state", "world_of_model"),
    "gambol.creatures.terrain": ("hills_for", "standing_height"),
    "gambol.dynamics": ("Dynamics",),
    "gambol.dynamics.loops": ("assembled",),
    "gambol.errors": ("FigureError", "GambolError", "TraceError", "WorldError"),
    "gambol.figure": (
        "Box", "Capsule", "Closure", "Coupling", "Cylinder", "Ellipsoid", "Figure", "Frustum", "HeightField",
        "Hull", "Joint", "JointSpring", "Link", "MassProperties", "Part", "Pipe", "Sphere", "make_forest",
        "random_figure", "random_state",
    ),
    "gambol.formats": (
        "Model", "combine_models", "read_figure", "read_hull", "read_mjcf", "read_urdf", "write_figure",
        "write_mjcf", "write_urdf",
    ),
    "gambol.script": ("read_script",),
    "gambol.view": ("write_page", "write_pattern", "write_picture", "write_video"),
    "gambol.world": ("Engine", "Film", "Push", "State", "Timing", "Walk", "World", "measure", "run", "start"),
}  # fmt: skip
_MODULE_OF = {name: module for module, names in MODULES.items() for name in names}


def __getattr__(name: str) -> "Any":
    from importlib import import_module

    if name not in _MODULE_OF:
        message = import_module("gambol.renamed").explanation(f"gambol.{name}")
        raise AttributeError(
            message or f"module 'gambol' has no attribute {name!r}", name=name, obj=import_module("gambol")
        )
    value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


class _OldNames:
    """A module finder, last in sys.meta_path. Its error gives the new name of a renamed module or public name."""

    @staticmethod
    def find_spec(fullname: str, path: object = None, target: object = None) -> None:
        """Raise ImportError with the new name if the name was renamed. `from package import name` also calls this."""
        if fullname.startswith("gambol."):
            from importlib import import_module

            if message := import_module("gambol.renamed").explanation(fullname):
                raise ImportError(message, name=fullname)


sys.meta_path.append(_OldNames)
