"""The actuators of a creature in the film of a template, whose links have other names and which draws no muscles."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.actuation import ActuatorInput
from gambol.control import Drive
from gambol.dynamics import kinematics
from gambol.evolve.genotype import Phenotype
from gambol.world import World
from gambol.world.film import Film
from gambol.world.film_paths import film_muscles, numbers_of_path

Array = NDArray[np.float64]


def with_creature_actuators(
    film: Film, creature: Phenotype, template_links: Sequence[str], q: Array, speeds: Array
) -> Film:
    """Return the film with the signals of the creature's actuators by their names, and with its muscles.

    template_links: names of the template's links without the root. q (F, nq), speeds (F, nv): coordinates and
    velocities of the creature. A film that has its muscles already is returned unchanged.
    """
    names = dict(zip(template_links, creature.actuators, strict=False))
    signals: dict[str, Any] = {}
    for name, values in film.signals.items():
        template_link = next((link for link in template_links if name.startswith(f"actuator {link} ")), None)
        if template_link is None:
            signals[name] = values
        elif template_link in names:
            signals[name.replace(template_link, names[template_link], 1)] = values
    renamed = replace(film, signals=signals)
    return renamed if film.matter else replace(renamed, matter=film_muscles(*_paths(creature, signals, q, speeds)))


def _paths(creature: Phenotype, signals: Mapping[str, Any], q: Array, speeds: Array) -> tuple[World, Array]:
    """Return a world of the creature alone, and the numbers of the paths of its actuators (F, 1, numbers)."""
    figure = creature.figure
    drive = Drive(creature.pattern, creature.actuators, creature.feet)
    world = World(figure, creature.springs, controller=drive, sensors=creature.sensors)
    state = kinematics(figure, list(q.T), list(speeds.T))
    columns: list[Any] = []
    for name, actuator in creature.actuators.items():
        numbers, link = actuator.numbers(), figure.link(name)
        begin = f"actuator {name} "
        values = {key.removeprefix(begin): signals[key][:, 0] for key in signals if key.startswith(begin)}
        q_joint, v_joint = q.T[link.q], speeds.T[link.v]
        at = ActuatorInput(0.0, list(q_joint), list(v_joint), (), values, [link], lambda _q, _v: state)
        for drawn in actuator.drawn_paths(numbers, at):
            columns += numbers_of_path(drawn)
    rows = [np.broadcast_to(np.asarray(x, float), len(q)) for x in columns]
    return world, np.stack(rows, axis=-1)[:, None] if rows else np.zeros((len(q), 1, 0))
