"""Tables of emitters and fields in a figure file, as a particle system and its events."""

from collections.abc import Callable
from typing import Any, cast

from numpy.typing import ArrayLike

from gambol.errors import WorldError
from gambol.figure.color import check_color, rgb_values
from gambol.formats import Table
from gambol.formats.figure_file.rotations import rotation_keys
from gambol.formats.matter_tables import MatterTables
from gambol.matter.particles import (
    Attraction,
    CurvePull,
    CurveSource,
    Emitter,
    Field,
    Gravity,
    Look,
    MeshSource,
    ParticleSystem,
    PointSource,
    Source,
    Spread,
    Vortex,
    Wind,
)
from gambol.matter.scene.events import EventKind, ParticleEvent
from gambol.matter.scene.part import gravity_of
from gambol.matter.scene_file.located import located
from gambol.matter.scene_file.mesh_rows import numbers_of, placed_triangles
from gambol.matter.scene_file.part_rows import read_air
from gambol.spatial import Curve, b_spline, catmull_rom, interpolating, polyline
from gambol.world import World

EMITTER_KEYS = (
    "name", "source", "link", "rate", "bursts", "start", "end", "direction", "cone", "speed", "lifetime", "radius",
    "density", "drag", "restitution", "friction", "rest_speed", "on_touch", "at_touch", "at_death", "on", "colors",
    "sizes", "streak", "glow",
)  # fmt: skip
NUMBERS = ("rate", "start", "end", "cone", "density", "restitution", "friction", "rest_speed")
SPREADS = ("speed", "lifetime", "radius")
EVENT_KEYS = ("event", "of", "count")
ORIGIN = (0.0, 0.0, 0.0)


def read_particles(tables: MatterTables, world: World, seed: int) -> ParticleSystem | None:
    """Return the particle system of a figure file for a world, or None without emitters.

    seed: seed of the random numbers. Raises WorldError, with file and line, for errors.
    """
    table = tables.table
    rows = table.tables("emitters")
    emitters = dict[str, Emitter]()
    for row in rows:
        with located(row):
            if row.text("name") in emitters:
                raise WorldError(f'another emitter has the name "{row.text("name")}"; give each its own')
            emitters[row.text("name")] = _emitter(row, tables)
    fields: list[Field] = [Gravity(gravity_of(world))]
    if "air" in table:
        fields.append(Wind(read_air(table.table("air")).velocity))
    for row in table.tables("fields"):
        with located(row):
            fields.append(FIELDS[row.text("kind", allowed=FIELDS)](row))
    if not emitters and "fields" in table:
        raise WorldError(f"{table.location_of('fields')}: there are no [[emitters]], on whose particles fields act")
    if not emitters:
        return None
    with located(table):
        return ParticleSystem(emitters, tuple(fields), world.ground, world.figure, seed)


def read_events(tables: MatterTables) -> list[ParticleEvent]:
    """Return the events at which particles of the emitters of a figure file are born."""
    events = list[ParticleEvent]()
    for row in tables.table.tables("emitters"):
        for on in row.tables("on"):
            with located(on):
                on.check_keys(*EVENT_KEYS)
                names = on.entries("of")
                kind = cast(EventKind, on.text("event"))
                count = on.integer("count") if "count" in on else 1
                events.append(ParticleEvent(kind, row.text("name"), count, tuple(names.text(k) for k in names)))
    return events


def _emitter(row: Table, tables: MatterTables) -> Emitter:
    row.check_keys(*EMITTER_KEYS)
    options: dict[str, Any] = {key: row.number(key) for key in NUMBERS if key in row}
    options |= {key: _spread(row, key) for key in SPREADS if key in row}
    bursts = row.pairs("bursts", ("time", "number")) if "bursts" in row else ()
    if "drag" in row:
        numbers = (*row.numbers("drag"), 0.0)
        options["drag"] = numbers[:2]
    for key, name in (("at_touch", "children_at_touch"), ("at_death", "children_at_death")):
        if key in row:
            child = row.table(key)
            child.check_keys("emitter", "count")
            options[name] = (child.text("emitter"), child.integer("count"))
    return Emitter(
        source=_source(row.table("source"), tables) if "source" in row else None,
        bursts=tuple((burst.number("time"), burst.integer("number")) for burst in bursts),
        direction=row.triple("direction", (0.0, 0.0, 1.0)),
        on_touch=row.text("on_touch", "bounce"),
        link=row.text("link") if "link" in row else None,
        look=_look(row),
        **options,
    )


def _spread(row: Table, key: str) -> Spread:
    """Return a random quantity: one number, or a mean and the half width of its interval."""
    numbers = row.numbers(key)
    if len(numbers) not in (1, 2):
        raise WorldError(f"{row.location_of(key)} has {len(numbers)} numbers; give one, or a mean and a half width")
    return Spread(*numbers)


def _source(row: Table, tables: MatterTables) -> Source:
    kind = row.text("kind", allowed=("point", "curve", "mesh"))
    if kind == "point":
        row.check_keys("kind", "position")
        return PointSource(row.triple("position", ORIGIN))
    if kind == "curve":
        row.check_keys("kind", "points", "through")
        return CurveSource(_curve(row))
    row.check_keys("kind", "file", "scale", "position", *rotation_keys())
    return MeshSource(*placed_triangles(row, tables))


CURVES: dict[str, Callable[[ArrayLike], Curve]] = {
    "polyline": polyline,
    "catmull-rom": catmull_rom,
    "interpolating": interpolating,
    "b-spline": b_spline,
}
"""Curves through or near points, by the name of the key `through`."""


def _curve(row: Table) -> Curve:
    points = row.entries("points")
    kind = CURVES[row.text("through", "polyline", allowed=tuple(CURVES))]
    return kind([points.triple(index) for index in points])


def _look(row: Table) -> Look:
    look = Look()
    colors, sizes = look.colors, look.sizes
    if "colors" in row:
        stops = row.pairs("colors", ("life", "color", "opacity"))
        for stop in stops:
            check_color(stop.text("color"), "a particle")
        colors = tuple((s.number("life"), (*rgb_values(s.text("color")), s.number("opacity"))) for s in stops)
    if "sizes" in row:
        sizes = tuple((s.number("life"), s.number("factor")) for s in row.pairs("sizes", ("life", "factor")))
    return Look(colors, sizes, row.number("streak", look.streak), row.boolean("glow", look.glow))


def _vortex(row: Table) -> Vortex:
    return numbers_of(_without_kind(row), Vortex, Vortex())


def _attraction(row: Table) -> Attraction:
    return numbers_of(_without_kind(row), Attraction, Attraction())


def _wind(row: Table) -> Wind:
    return numbers_of(_without_kind(row), Wind, Wind())


def _pull(row: Table) -> CurvePull:
    row.check_keys("kind", "points", "through", "speed", "frequency", "damping")
    default = CurvePull()
    return CurvePull(
        _curve(row), *(row.number(key, getattr(default, key)) for key in ("speed", "frequency", "damping"))
    )


def _without_kind(row: Table) -> Table:
    return Table({key: value for key, value in row.data.items() if key != "kind"}, row.where, row.source)


FIELDS: dict[str, Callable[[Table], Field]] = {
    "vortex": _vortex,
    "attraction": _attraction,
    "wind": _wind,
    "curve": _pull,
}
"""The readers of fields by kind. Gravity of the world and the wind of [air] are added as fields."""
