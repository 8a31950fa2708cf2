"""Combining several models into one: a forest of their figures, with their springs, motors and initial states."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from gambol.errors import FigureError
from gambol.figure import Constraint, forest_names, make_forest
from gambol.formats.matter_forest import combined_matter
from gambol.formats.model import Model
from gambol.formats.sensor_entry import SensorEntry


def combine_models(
    name: str, models: Mapping[str, Model] | Sequence[Model], constraints: Iterable[Constraint] = ()
) -> Model:
    """Return one model with the forest of the figures of several models.

    name: name of the forest. models: the members, by name or in order; see gambol.figure.make_forest for the names of
    links. constraints: constraints between members. If two motors have the same name, motors are called "member/motor";
    tendons and sensors always have such names. There is a ground if any member has one. Cloth, ropes, meshes and
    particles: see combined_matter(). Raises FigureError for an impossible forest, and for members with different
    gravity or media.
    """
    members = list(models.values() if isinstance(models, Mapping) else models)
    figures = [member.figure for member in members]
    forest_figures = dict(zip(models, figures, strict=True)) if isinstance(models, Mapping) else figures
    figure, names = make_forest(name, forest_figures, constraints), forest_names(forest_figures)
    _check_members(name, members)
    counts = Counter(motor.name for member in members for motor in member.motors)
    unique_names = all(count == 1 for count in counts.values())
    return Model(
        figure,
        {
            new_names[link]: springs
            for member, new_names in zip(members, names.values(), strict=True)
            for link, springs in member.springs.items()
        },
        tuple(
            replace(
                motor,
                name=motor.name if unique_names else f"{key}/{motor.name}",
                joint=new_names[motor.joint] if motor.joint else "",
                tendon=f"{key}/{motor.tendon}" if motor.tendon else "",
            )
            for member, (key, new_names) in zip(members, names.items(), strict=True)
            for motor in member.motors
        ),
        tuple(x for member in members for x in member.q),
        tuple(x for member in members for x in member.v),
        members[0].gravity,
        any(member.ground for member in members),
        tuple(dict.fromkeys(note for member in members for note in member.notes)),
        members[0].density,
        members[0].viscosity,
        tuple(
            tendon.renamed(f"{key}/{tendon.name}", new_names)
            for member, (key, new_names) in zip(members, names.items(), strict=True)
            for tendon in member.tendons
        ),
        _combined_sensors(members, names),
        matter=combined_matter(name, {key: member.matter for key, member in zip(names, members, strict=True)}, names),
    )


def _combined_sensors(members: Sequence[Model], names: Mapping[str, Mapping[str, str]]) -> tuple[SensorEntry, ...]:
    """Return the sensors of all members. names: new names of the links of each member, by its name."""
    return tuple(
        sensor.renamed(f"{key}/{sensor.name}", new_names)
        for member, (key, new_names) in zip(members, names.items(), strict=True)
        for sensor in member.sensors
    )


def _check_members(name: str, members: Sequence[Model]) -> None:
    """Raise FigureError for members with different gravity or media. name: name of the forest."""
    if len({member.gravity for member in members}) > 1:
        raise FigureError(f'the members of "{name}" have different gravity; give all the same')
    if len({(member.density, member.viscosity) for member in members}) > 1:
        raise FigureError(f'the members of "{name}" have different media; give all the same')
