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
from gambol.figure import Sphere
from gambol.matter.forces import SelfTouch, Surroundings
from gambol.matter.mesh import SpringMesh
from gambol.matter.motion.balls import Ball
from gambol.matter.scene import Scene
from gambol.world import Film
from gambol.world.run import Progress

MAX_SECONDS = 6.0
"""Maximum simulated time of a film without --seconds [s], so that pages are small."""

MAX_CLOTH_SECONDS = 1.2
"""The same for cloth that its page simulates [s]: only a picture is taken from the film, which takes minutes."""


@dataclass(frozen=True)
class FigureEntry:
    """A figure file of the examples.

    file: its name; options: further options of its run, see RunRequest; softer: factors of the stiffness of the meshes
    that its page simulates, by name; None for a page of the figure.
    """

    file: str
    summary: str
    group: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    softer: Mapping[str, float] | None = None


DAMPER_TIME, TOUCH_STIFFNESS, TOUCH_DAMPING = 2e-4, 40.0, 0.01
"""Largest damping of springs in pages of cloth, as a time [s], and law of contact with the ground [N/m, N s/m]: with
the files' numbers explicit steps would be several times shorter."""

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
    "flag": FigureEntry("flag.toml", "a flag in the wind", CLOTH, softer={"flag": 1.0}),
    "trampoline": FigureEntry("trampoline.toml", "a ball on a trampoline", CLOTH, softer={"net": 1.0}),
    "clothesline": FigureEntry(
        "clothesline.toml", "a towel falls on a rope", CLOTH, softer={"towel": 1.0, "line": 0.25}
    ),
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
    longest = MAX_SECONDS if row.softer is None else MAX_CLOTH_SECONDS
    request = RunRequest(path, seconds=longest if seconds is None else seconds, **row.options)
    run = prepare_run(request, path.parent, lambda line: None)
    return run.film(progress), run.simulation if row.softer is None else _cloth(path, row.softer)


def _cloth(path: Path, softer: Mapping[str, float]) -> ClothSimulation:
    """Return the meshes and balls of a figure file for a page, with what steps by points can compute at real time."""
    scene = make_scene(path)
    parts = {name: scene.parts[name] for name in softer}
    first = next(iter(parts.values()))
    around, balls = first.surroundings or Surroundings(), _balls(scene)
    touch = around.touch if balls else replace(around.touch, stiffness=TOUCH_STIFFNESS, damping=TOUCH_DAMPING)
    between = None
    if len(parts) > 1:
        law = around.touch
        between = SelfTouch(law.thickness, law.stiffness, law.damping, law.friction, surfaces=True)
    names = " and ".join(f"the {each}" for each in (*parts, *(ball.name for ball in balls)))
    return ClothSimulation(
        {name: _softened(part.mesh, softer[name]) for name, part in parts.items()},
        replace(around, touch=touch, self_touch=between),
        balls,
        {name: part.color or "" for name, part in parts.items()},
        f"{names} of {path.name}, with softer dampers and contacts, and a rope that stretches more"
        if min(softer.values()) < 1.0
        else f"{names} of {path.name}, with softer dampers and contacts",
    )


def _softened(mesh: SpringMesh, factor: float) -> SpringMesh:
    """Return a mesh with softer springs and dampers. factor: of the stiffness."""
    stiffness = factor * mesh.springs.stiffness
    damping = np.minimum(mesh.springs.damping, DAMPER_TIME * stiffness)
    return replace(mesh, springs=replace(mesh.springs, stiffness=stiffness, damping=damping))


def _balls(scene: Scene) -> tuple[Ball, ...]:
    """Return the free links of a scene's figure that are one sphere."""
    state = scene.start().figure
    return tuple(
        Ball(shape.radius, float(link.mass_properties.mass), tuple(state.q[0][link.q][4:7].tolist()), name=link.name)
        for link in scene.world.figure.links
        if link.joint.kind == "free" and len(link.parts) == 1 and isinstance(shape := link.parts[0].shape, Sphere)
    )
