"""Tables of meshes in a figure file, with their time stepping, external actions and tethers."""

import math
from dataclasses import replace

from gambol.errors import WorldError, did_you_mean
from gambol.figure.color import check_color
from gambol.formats import Table
from gambol.formats.matter_tables import MatterTables
from gambol.matter.forces import Air, SelfTouch, Surroundings
from gambol.matter.forces.surroundings import DEFAULT_TOUCH
from gambol.matter.mesh import SpringMesh
from gambol.matter.motion import StepRule, StretchRule
from gambol.matter.motion.methods import METHODS
from gambol.matter.scene.part import MeshPart, gravity_of
from gambol.matter.scene_file.located import located
from gambol.matter.scene_file.mesh_rows import MESHES, check_names, held_points, numbers_of
from gambol.matter.touch.tether import Tether
from gambol.world import World

PART_KEYS = (
    "name", "color", "velocity", "method", "options", "step", "stretch_limit", "air", "touch", "self_touch", "touches",
    "touches_meshes", "held",
)  # fmt: skip
HELD_KEYS = ("link", "points", "at", "stiffness", "damping")
AT_REST = (0.0, 0.0, 0.0)


def read_air(row: Table) -> Air:
    """Return the air of a table: its wind, density, and coefficients of drag and lift."""
    with located(row):
        row.check_keys("wind", "density", "drag", "lift")
        default = Air()
        numbers = (row.number(key, getattr(default, key)) for key in ("density", "drag", "lift"))
        return Air(row.triple("wind", default.velocity), *numbers)


def read_parts(tables: MatterTables, world: World) -> dict[str, MeshPart]:
    """Return the meshes of a figure file by name, for a world. Raises WorldError, with file and line, for errors."""
    rows = [(kind, row) for kind in MESHES for row in tables.table.tables(kind)]
    check_names([row for _, row in rows])
    parts = dict[str, MeshPart]()
    for kind, row in rows:
        with located(row):
            parts[row.text("name")] = _part(kind, row, tables, world)
    return parts


def _part(kind: str, row: Table, tables: MatterTables, world: World) -> MeshPart:
    read, keys = MESHES[kind]
    row.check_keys(*PART_KEYS, *keys)
    mesh = replace(read(row, tables), name=row.text("name"))
    color = row.text("color") if "color" in row else None
    check_color(color, f'"{row.text("name")}"')
    touches = _texts(row, "touches") if "touches" in row else None
    return MeshPart(
        mesh,
        _surroundings(row, tables, world),
        _rule(row, world.timing.control_step),
        tuple(_tether(kind, held, row, mesh) for held in row.tables("held")),
        touches,
        row.triple("velocity", AT_REST),
        color,
        _texts(row, "touches_meshes") if "touches_meshes" in row else (),
    )


def _texts(row: Table, key: str) -> tuple[str, ...]:
    entries = row.entries(key)
    return tuple(entries.text(index) for index in entries)


def _rule(row: Table, control_step: float) -> StepRule:
    """Return the time stepping of a mesh; the control step is divided into equal steps of at most `step`."""
    name = row.text("method", "implicit euler", allowed=METHODS)
    longest = row.number("step", control_step)
    if not longest > 0.0:
        raise WorldError(f"{row.location_of('step')} is {longest:g} s; give more than 0")
    steps = max(1, math.ceil(control_step / longest - 1e-9))
    stretch = StretchRule(row.number("stretch_limit")) if "stretch_limit" in row else None
    options, kind = None, METHODS[name].options
    if "options" in row:
        if kind is None:
            with_options = [each for each, method in METHODS.items() if method.options]
            raise WorldError(f'the method "{name}" has no options; {did_you_mean(name, with_options)}')
        options = numbers_of(row.table("options"), kind, kind())
    return StepRule(name, control_step / steps, options, stretch)


def _surroundings(row: Table, tables: MatterTables, world: World) -> Surroundings:
    """Return the external actions on a mesh: gravity and ground of the world, and air of the mesh or of the file."""
    air = row if "air" in row else tables.table
    touching = None
    if "self_touch" in row:
        self_touch = row.table("self_touch")
        touching = numbers_of(self_touch, SelfTouch, SelfTouch(self_touch.number("diameter")))
    return Surroundings(
        gravity_of(world),
        read_air(air.table("air")) if "air" in air else None,
        world.ground if world.has_ground else None,
        numbers_of(row.table("touch"), type(DEFAULT_TOUCH), DEFAULT_TOUCH) if "touch" in row else DEFAULT_TOUCH,
        touching,
    )


def _tether(kind: str, held: Table, row: Table, mesh: SpringMesh) -> Tether:
    with located(held):
        held.check_keys(*HELD_KEYS)
        size = (row.integer("rows"), row.integer("columns")) if kind == "cloths" else (0, 0)
        places = held.entries("at") if "at" in held else None
        at = None if places is None else [places.triple(index) for index in places]
        default = Tether(held.text("link"), held_points(held, kind, mesh, size), at)
        stiffness, damping = (held.number(key, getattr(default, key)) for key in ("stiffness", "damping"))
        return Tether(default.link, default.points, at, stiffness, damping)
