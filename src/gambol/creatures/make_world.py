"""Makes worlds from creatures, models, figures or files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from inspect import signature
from pathlib import Path
from typing import Any

from gambol.control import with_delays
from gambol.creatures.accuracy import fit_accuracy
from gambol.creatures.creature import Creature
from gambol.creatures.creature_world import standing_state, world_of
from gambol.creatures.entry import CreatureEntry
from gambol.creatures.holding import held_model
from gambol.creatures.initial_configuration import initial_configuration
from gambol.creatures.models import motor_delays, world_of_model
from gambol.creatures.roach import roach
from gambol.creatures.table import CREATURES, creature_entry
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure
from gambol.formats import FORMATS, Model, read_model
from gambol.formats.file_format import file_format, reader_of
from gambol.formats.model import Hold
from gambol.world import World
from gambol.world.former_names import check_former_name

WORLD_OPTIONS = frozenset(option.name for option in fields(World) if option.init and option.name != "figure")


def make_world(source: Creature | CreatureEntry | Model | Figure | str | Path, **options: Any) -> World:
    """Return a world in which a creature, a model or a figure moves; start() gives its initial state.

    source: a creature, such as roach(), or its name, such as "dog" (`gambol walk --list` names all); a model from a
    file; a figure, which gets a ground; or the path of a figure file, MJCF or URDF. options: options of World, and for
    a creature those of world_of(), which come first: speed, speed_after, ramp, feet, reflexes, begins, tolerance,
    solid_trunk; for a creature by name the options of its entry; for a model the options of world_of_model(), and hold:
    True to hold the file's pose, or a standing one, by servos at its motors with gains from the masses; or (stiffness,
    damping) for all motors, or a dictionary of these by names of motors, see held_model(). With hold, a URDF file gets
    a free base. Without it, the key `hold` of a figure file counts, unless actuators, control or controller are given.
    Options that are not given follow from the source: a creature walks, a model moves by its springs and weight, and
    contact parameters follow from masses and sizes. The initial state follows from the source: a creature stands on the
    ground; a model has its own coordinates, changed if necessary to be within its limits, with closed loops and above
    the ground. delays: delays of commands by name of the actuator [s], see with_delays(). accuracy: relative error
    after half a second, from which steps or their tolerance, iterations and contact capacity follow, see
    fit_accuracy(). For cloth, ropes, meshes and particles of a figure file see make_scene(). Raises WorldError for
    unknown or invalid options, GambolError for a file that cannot be read.
    """
    delays, accuracy = options.pop("delays", None), options.pop("accuracy", None)
    world = _with_delays(_world_of_source(source, options), delays or {})
    return world if accuracy is None else fit_accuracy(world, accuracy).world


def _with_delays(world: World, delays: Mapping[str, float]) -> World:
    """Return a world whose commands are delayed; delays: by name of the actuator [s]."""
    if not delays:
        return world
    return replace(world, controller=with_delays(world.controller, delays, world.timing.control_step))


def _world_of_source(source: Creature | CreatureEntry | Model | Figure | str | Path, options: dict[str, Any]) -> World:
    """Return the world of a source. options: options of make_world() except delays."""
    if isinstance(source, str) and not _may_be_file(source):
        source = roach() if source == "roach" else creature_entry(source)
    if isinstance(source, CreatureEntry):
        own, others = _split(options, (*source.options, *source.lacks))  # world() says why it lacks an option
        return replace(source.world(**own), **others)
    hold: Hold = options.get("hold", False)
    if isinstance(source, (str, Path)):
        source = _read(Path(source), holds=hold is not False)
    if isinstance(source, Creature):
        own, others = _split(options, _options_of(world_of))
        world = replace(world_of(source, **own), **others)
        return replace(world, initial=replace(world.initial, q=tuple(standing_state(source, world).q[0].tolist())))
    model = Model(source, ground=True) if isinstance(source, Figure) else source
    own, others = _split(options, (*_options_of(world_of_model), "hold"))
    own.pop("hold", None)
    taken = [name for name in ("actuators", "control", "controller") if options.get(name)]
    if "hold" not in options and not taken:
        hold = model.hold
    if hold is not False:
        if taken:
            raise WorldError(f'"hold" drives all motors itself; leave out "{taken[0]}"')
        held = held_model(model, hold)
        model, others = held.model, others | {"controller": held.controller}
    world = replace(world_of_model(model, **own), **others)
    world = _with_delays(world, motor_delays(model, world))
    return replace(world, initial=replace(world.initial, q=initial_configuration(model, world).q, v=model.v))


def _may_be_file(source: str) -> bool:
    """Return True for a path, False for the name of a creature, known or not: it has neither suffix nor folder."""
    if source in ("roach", *CREATURES):
        return False
    path = Path(source)
    return path.exists() or bool(path.suffix) or path.name != source


def _read(path: Path, holds: bool) -> Model:
    """Return the model of a file; a model that holds a pose has a free base if its format does not define the base."""
    suffix = file_format(path)
    return reader_of(suffix)(path, base="free") if holds and "base" in FORMATS[suffix].options else read_model(path)


def _options_of(builder: Any) -> tuple[str, ...]:
    """Return the options of a function that builds a world from its first argument."""
    return tuple(signature(builder).parameters)[1:]


def _split(options: dict[str, Any], own: Sequence[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the options of the source, and the options of World.

    own: names of options of the source. Raises WorldError for unknown options.
    """
    for name in options:
        if name not in own and name not in WORLD_OPTIONS:
            check_former_name(name, "World")
            known = {*own, *WORLD_OPTIONS}
            raise WorldError(f'there is no option "{name}" of this world; {did_you_mean(name, known)}')
    return {k: x for k, x in options.items() if k in own}, {k: x for k, x in options.items() if k not in own}
