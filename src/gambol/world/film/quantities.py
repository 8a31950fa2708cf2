"""Quantities of a film by name, for plots and tables: signals, their parts, positions of links, derived quantities."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError, did_you_mean, printable
from gambol.world.film.columns import split_label
from gambol.world.film.film import Film
from gambol.world.film.signals import SIGNALS, signal_kind

Array = NDArray[np.float64]

STEPPING = "stepping"

OF_JOINTS = ("q", "v", "torques")
"""Signals that films have if they were recorded by run(..., coordinates=True)."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A quantity that is computed from signals: its unit, the signals that it needs, and its function of one world."""

    unit: str
    needs: tuple[str, ...]
    values: Callable[[Array, Mapping[str, Array]], Array]


def _speed(time: Array, signals: Mapping[str, Array]) -> Array:
    """Return the speed of the centre of mass (F,) [m/s], by differences between frames."""
    if len(time) < 2:
        return np.full(len(time), np.nan)
    with np.errstate(divide="ignore", invalid="ignore"):  # two frames at one time have no speed
        return np.asarray(np.linalg.norm(np.gradient(signals["centre"], time, axis=0), axis=1))


def _energy(time: Array, signals: Mapping[str, Array]) -> Array:
    """Return the sum of the energies of motion, gravity and springs (F,) [J]."""
    return signals["kinetic"] + signals["potential"] + signals.get("stored", np.zeros(len(time)))


DERIVED: Mapping[str, Derived] = {
    "speed": Derived("m/s", ("centre",), _speed),
    "energy": Derived("J", ("kinetic", "potential"), _energy),
}
"""Quantities by name: speed of the centre of mass; kinetic, potential and stored energy together."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """A quantity that is drawn under one name: its unit, and its lines by name, each (F, W)."""

    name: str
    unit: str
    lines: Mapping[str, Array]


def check_names(names: Sequence[str]) -> None:
    """Raise GambolError for names that films do not have, before there is a film. names: as for quantities_of().

    Names with a dot may contain names of links, which are known only with a film; quantities_of() checks them.
    """
    if not names:
        raise GambolError(f"there is nothing to plot; give names such as {', '.join((*DERIVED, 'centre.z'))}")
    for name in names:
        head = name.partition(".")[0]
        if not name.strip() or (name not in DERIVED and signal_kind(head) is None and ("." not in name or not head)):
            known = did_you_mean(name, (*DERIVED, *SIGNALS))
            raise GambolError(f'there is no signal "{name[:80]}"; {known} (a coordinate of a link is LINK.x, .y or .z)')


def needs_coordinates(names: Sequence[str]) -> bool:
    """Return True if one of the names belongs to a joint, so that the film needs run(..., coordinates=True)."""
    return any(name.partition(".")[0] in OF_JOINTS for name in names)


def with_stepping(film: Film) -> Film:
    """Return the film with the signal "stepping", which is 1 while the ground does not push on a foot.

    A film that has this signal, such as a film of a gait, and a film without feet are returned unchanged. In the new
    signal, feet are in place of limbs.
    """
    push, feet = film.signals.get("push"), film.axes.get("feet", ())
    if STEPPING in film.signals or push is None or not feet or push.shape[2:] != (len(feet),):
        return film
    return replace(film, limb_names=feet, signals={**film.signals, STEPPING: np.where(push > 0.0, 0.0, 1.0)})


def quantities_of(film: Film, names: Sequence[str]) -> list[Quantity]:
    """Return the quantities of each name in all worlds; one for each unit.

    names: names of signals ("centre"), of parts of them ("centre.z", "q.femur_fl1"), of quantities of DERIVED
    ("speed"), of links ("head": the position of this link) and of their coordinates ("head.z"). Underscores may stand
    for spaces. Raises GambolError for a name that the film lacks, and a film without frames or worlds.
    """
    film = with_stepping(film) if any(name.partition(".")[0] == STEPPING for name in names) else film
    tables = [film.of_worlds([w]).columns() for w in range(film.worlds)]
    if not tables:
        raise GambolError(f'film "{film.name}" has no worlds to plot')
    return [quantity for name in names for quantity in _quantities(film, name, tables)]


def _quantities(film: Film, name: str, tables: Sequence[Mapping[str, Array]]) -> list[Quantity]:
    """Return the quantities of one name; tables: the columns of each world."""
    derived = DERIVED.get(name)
    if derived is not None and name not in film.signals and all(need in film.signals for need in derived.needs):
        worlds = [{key: signal[:, w] for key, signal in film.signals.items()} for w in range(film.worlds)]
        values = [derived.values(film.time, signals) for signals in worlds]
        return [Quantity(name, derived.unit, {name: np.stack(values, axis=1)})]
    labels = {column: split_label(column) for column in tables[0]}
    start = _with_underscores(name)
    matching = [
        column for column, (label, _) in labels.items() if f"{_with_underscores(label)}.".startswith(f"{start}.")
    ]
    if not matching or name == "time":
        raise GambolError(_unknown(film, name, [label for label, _ in labels.values()]))
    if start in map(_with_underscores, film.link_names):
        matching = matching[:3]  # its position, and not its quaternion
    lines = {column: np.stack([table[column] for table in tables], axis=1) for column in matching}
    by_unit: dict[str, dict[str, Array]] = {}
    for column, values in lines.items():
        label, unit = labels[column]
        by_unit.setdefault(unit, {})[label] = values
    return [Quantity(name, unit, of_unit) for unit, of_unit in by_unit.items()]


def _with_underscores(name: str) -> str:
    """Return a name with underscores in place of spaces."""
    return name.replace(" ", "_")


def _unknown(film: Film, name: str, labels: Sequence[str]) -> str:
    """Return the message for a name that a film lacks."""
    text = f'the film "{printable(film.name)}" has no signal "{name[:80]}"'
    if name.partition(".")[0] in OF_JOINTS and "q" not in film.signals:
        return f"{text}: it was recorded without coordinates of joints; record it by run(..., coordinates=True)"
    derived = [key for key, row in DERIVED.items() if all(need in film.signals for need in row.needs)]
    return f"{text}; {did_you_mean(name, (*derived, *film.signals, *(label for label in labels if label != 'time')))}"
