"""The creatures of the site: those that walk by name, those that evolved, and figures from files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from gambol.cli.choices import hint
from gambol.cli.defaults import ROACH
from gambol.cli.figures.creatures import EvolvedCreature
from gambol.cli.figures.examples import examples_folder
from gambol.cli.figures.run_request import RunRequest
from gambol.cli.figures.running import prepare_run
from gambol.cli.figures.sources import ReadOptions
from gambol.cli.pages import ClothSimulation, LiveSimulation, first_state
from gambol.cli.source import Source, source_of
from gambol.cli.walk.creature import creature_page_state, prepare_walk, simulate, summary_of
from gambol.cli.walk.creature_request import CreatureRequest
from gambol.cli.walk.roach import RoachRequest, page_state, prepare_roach_walk, simulate_walk
from gambol.creatures.ground_forces import without_contacts
from gambol.creatures.make_scene import make_scene
from gambol.creatures.table import CREATURES
from gambol.errors import GambolError
from gambol.evolve.genotype import to_json
from gambol.evolve.zoo import CREATURES as EVOLVED
from gambol.evolve.zoo import zoo_creature
from gambol.matter.forces import Surroundings
from gambol.matter.mesh.parts import Hinges
from gambol.world import Film
from gambol.world.run import Progress

MAX_SECONDS = 6.0
"""Maximum simulated time of a film without --seconds [s], so that pages are small."""


@dataclass(frozen=True)
class FigureEntry:
    """A figure file of the examples.

    file: its name; options: further options of its run, see RunRequest; cloth: name of the cloth that its page
    simulates, or "".
    """

    file: str
    summary: str
    group: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    cloth: str = ""


DAMPER_TIME, TOUCH_STIFFNESS, TOUCH_DAMPING = 2e-4, 40.0, 0.01
"""Largest damping of springs in pages of cloth, as a time [s], and law of contact [N/m, N s/m]: with the files' numbers
explicit steps would be five times shorter."""

FILES, ROBOTS, CLOTH = "figures from files", "robots from files", "cloth and ropes"
"""Headings of the groups of figure files."""

FIGURES = {
    "four_bar": FigureEntry("four_bar.toml", "a crank, a coupler and a rocker, closed by a hinge", FILES),
    "monopod": FigureEntry("monopod.toml", "drops onto its one springy leg", FILES),
    "trapeze": FigureEntry("trapeze.toml", "an acrobat who swings on two ropes", FILES),
    "robot-dog": FigureEntry(
        "robot-dog.xml",
        "a robot whose twelve motors hold its posture, from MJCF",
        ROBOTS,
        {"reading": ReadOptions(pose="standing"), "hold": True},
    ),
    "arm": FigureEntry(
        "arm.urdf",
        "an arm of six joints with its motors off, from URDF",
        ROBOTS,
        {"reading": ReadOptions(base="fixed")},
    ),
    "rope": FigureEntry("rope.toml", "a rope of fourteen capsules swings a ball", CLOTH),
    "net": FigureEntry("net.toml", "a net: four ropes of capsules, tied by springs", CLOTH),
    "flag": FigureEntry("flag.toml", "a flag in the wind", CLOTH, cloth="flag"),
    "trampoline": FigureEntry("trampoline.toml", "a ball on a trampoline", CLOTH),
    "clothesline": FigureEntry("clothesline.toml", "a towel falls on a rope", CLOTH),
}
"""Figure files of the examples, by the names of their pages."""


@dataclass(frozen=True)
class SiteCreature:
    """A creature of the site.

    film(seconds, progress): simulates; returns the film, and the simulation for a live page or the reason why there is
    none.
    """

    name: str
    summary: str
    group: str
    film: Callable[[float | None, Progress], tuple[Film, LiveSimulation | ClothSimulation | str]]


def site_creatures(names: tuple[str, ...] = ()) -> list[SiteCreature]:
    """Return the creatures of the site, or those that are named. Raises GambolError for an unknown name."""
    creatures = [
        SiteCreature(ROACH, summary_of(ROACH), "walking creatures", _roach),
        *(SiteCreature(name, summary_of(name), "walking creatures", partial(_walker, name)) for name in CREATURES),
        *(
            SiteCreature(name, text, "evolved creatures", partial(_evolved, name))
            for name, (text, _) in EVOLVED.items()
            if name not in CREATURES
        ),
        *(SiteCreature(name, row.summary, row.group, partial(_figure, row)) for name, row in FIGURES.items()),
    ]
    known = [creature.name for creature in creatures]
    for name in names:
        if name not in known:
            raise GambolError(f'NAME: "{name}" is not in the zoo; {hint(name, known, "see gambol zoo --help")}')
    return [creature for creature in creatures if not names or creature.name in names]


def _roach(seconds: float | None, progress: Progress) -> tuple[Film, LiveSimulation | str]:
    walk = prepare_roach_walk(RoachRequest(seconds=seconds))
    simulation = first_state(page_state(walk), source_of("roach", walk.request))
    return without_contacts(simulate_walk(walk, progress)[0]), simulation


def _walker(name: str, seconds: float | None, progress: Progress) -> tuple[Film, LiveSimulation | str]:
    default = CREATURES[name].seconds
    walk = prepare_walk(CreatureRequest(name, seconds=min(default, MAX_SECONDS) if seconds is None else seconds))
    simulation = first_state(creature_page_state(walk), source_of("creature", walk.request))
    return simulate(walk, progress)[0], simulation


def _evolved(name: str, seconds: float | None, progress: Progress) -> tuple[Film, LiveSimulation | str]:
    found = zoo_creature(name)
    creature = EvolvedCreature(name, to_json(found.genotype), found.settings)
    film = creature.film(MAX_SECONDS if seconds is None else seconds)
    progress(1, 1)
    return film, creature.simulation(Source("evolved", {"name": name}).data())


def _figure(
    row: FigureEntry, seconds: float | None, progress: Progress
) -> tuple[Film, LiveSimulation | ClothSimulation | str]:
    path = examples_folder() / "figures" / row.file
    request = RunRequest(path, seconds=MAX_SECONDS if seconds is None else seconds, **row.options)
    run = prepare_run(request, path.parent, lambda line: None)
    return run.film(progress), _cloth(path, row.cloth) if row.cloth else run.simulation


def _cloth(path: Path, name: str) -> ClothSimulation:
    """Return the cloth of a figure file for a page, with what its steps by points can compute at real time."""
    part = make_scene(path).parts[name]
    mesh, around = part.mesh, part.surroundings or Surroundings()
    slack = DAMPER_TIME * mesh.springs.stiffness
    springs = replace(mesh.springs, damping=np.minimum(mesh.springs.damping, slack))
    return ClothSimulation(
        replace(mesh, springs=springs, hinges=Hinges()),
        replace(around, touch=replace(around.touch, stiffness=TOUCH_STIFFNESS, damping=TOUCH_DAMPING)),
        part.color or "",
        f"the {name} of {path.name} alone, without hinges, with softer dampers and contacts",
    )
