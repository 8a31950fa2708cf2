"""Several specimens as one: their figures as a forest, with all that pushes and drives them, and how they start."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from gambol.errors import FigureError
from gambol.figure import Constraint, forest_names, gathered
from gambol.formats.specimen import Specimen


def gathered_specimens(
    name: str, specimens: Mapping[str, Specimen] | Sequence[Specimen], constraints: Iterable[Constraint] = ()
) -> Specimen:
    """A specimen whose figure is the forest of others' figures; see gambol.figure.gathered for how links are called.

    Motors are called "member/motor" where two have one name. There is a ground if one of them has it.
    Raises FigureError for a forest that cannot be, and for members that fall in different ways.
    """
    members = list(specimens.values() if isinstance(specimens, Mapping) else specimens)
    figures = [member.figure for member in members]
    keys = dict(zip(specimens, figures, strict=True)) if isinstance(specimens, Mapping) else figures
    figure, names = gathered(name, keys, constraints), forest_names(keys)
    if len({member.gravity for member in members}) > 1:
        raise FigureError(f'the members of "{name}" fall in different ways: give all the same gravity')
    if len({(member.density, member.viscosity) for member in members}) > 1:
        raise FigureError(f'the members of "{name}" move through different media: give all the same')
    counts = Counter(motor.name for member in members for motor in member.motors)
    plain = all(count == 1 for count in counts.values())
    return Specimen(
        figure,
        {
            within[link]: springs
            for member, within in zip(members, names.values(), strict=True)
            for link, springs in member.springs.items()
        },
        tuple(
            replace(motor, name=motor.name if plain else f"{key}/{motor.name}", joint=within[motor.joint])
            for member, (key, within) in zip(members, names.items(), strict=True)
            for motor in member.motors
        ),
        tuple(x for member in members for x in member.q),
        tuple(x for member in members for x in member.v),
        members[0].gravity,
        any(member.ground for member in members),
        tuple(dict.fromkeys(note for member in members for note in member.notes)),
        members[0].density,
        members[0].viscosity,
    )
