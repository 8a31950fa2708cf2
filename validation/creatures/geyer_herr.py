"""The reflex walker beside people: `python -m validation.creatures.geyer_herr` writes its page and its picture."""

from dataclasses import replace
from pathlib import Path

import matplotlib
import numpy as np
from matplotlib import pyplot as plt
from numpy.typing import NDArray
from rich.console import Console
from scipy.interpolate import PchipInterpolator

from gambol.actuation.muscle import Metabolism
from gambol.collide import HeightGrid
from gambol.control import FeedbackController
from gambol.creatures.geyer_herr.entry import GEYER_HERR, walker_world
from gambol.creatures.geyer_herr.muscles import walker_muscles
from gambol.creatures.measures import CreatureMeasures, measure_creature
from gambol.formats import atomic_write
from gambol.world import Engine, Film, World, run, start

Array = NDArray[np.float64]
DOCS = Path(__file__).parents[2] / "docs" / "validation"
PAGE, PICTURE = DOCS / "geyer-herr.md", DOCS / "geyer-herr.svg"
SECONDS = 30.0
WEIGHT = 80.0 * 9.81
MIN_HIP_HEIGHT = 0.6  # height of the hips above the ground [m]

PUSHES, PUSH_TIME, MAX_PUSH = 16, 0.1, 150.0
"""Number of pushes, how long each lasts [s], and the largest force [N]: 15 N s change the speed by 0.19 m/s."""

SLOPES, GROUNDS, DISTURBED = (-0.05, -0.02, 0.02, 0.04), 4, 20.0
"""Slopes (rise over run), number of random grounds, and time on each of them [s]."""

HUMAN = ((0.0, 0.0), (0.23, 1.1), (0.5, 0.75), (0.77, 1.1), (1.0, 0.0))
"""Vertical force of a person who walks at a natural speed: part of the stance, force over weight.

The first peak, the valley and the second peak as textbooks give them [Winter 1991, The Biomechanics and Motor Control
of Human Gait; Perry and Burnfield 2010, Gait Analysis]. The line between them is ours.
"""

PEOPLE = {
    "speed": "1.2 to 1.4 m/s",
    "step length": "0.65 to 0.75 m",
    "stride": "1.0 to 1.1 s",
    "duty factor": "0.60 to 0.62",
    "mechanical cost of transport": "0.05",
    "metabolic cost of transport": "0.3",
}
"""People at a natural speed: [Perry and Burnfield 2010], costs [Collins, Ruina, Tedrake and Wisse 2005]: 0.05 and 0.2,
and 0.3 with the metabolism at rest, per weight and distance."""

HEAD = """# The reflex walker

Made by `python -m validation.creatures.geyer_herr`. The [walker](../use/geyer-herr.md) of seven segments and fourteen
muscles walks by reflexes alone, in steps of 1 ms of the contact method `stepping`, in float64.
"""


def ground_steps(height: float, seed: int, length: float = 0.6) -> HeightGrid:
    """Return level ground, and from 2 m on steps of random heights between +-height / 2 [m], each of a length [m]."""
    spacing, first, last = 0.05, -2.0, 60.0
    x = first + spacing * np.arange(round((last - first) / spacing))
    heights = np.random.default_rng(seed).uniform(-0.5 * height, 0.5 * height, len(x))
    z = np.where(x < 2.0, 0.0, heights[((x - first) / length).astype(int)])
    return HeightGrid(np.repeat(z[:, None], 21, axis=1), spacing, first, -10.0 * spacing)


def with_metabolism(world: World) -> World:
    """Return the world with muscles that have a metabolism."""
    assert isinstance(world.controller, FeedbackController)
    muscles = {name: replace(muscle, metabolism=Metabolism()) for name, muscle in walker_muscles().items()}
    return replace(world, controller=replace(world.controller, actuators=muscles))


def walk(world: World, seconds: float = SECONDS) -> tuple[CreatureMeasures, Film]:
    """Return the measures of a walk, and its film."""
    film = run(world, start(world), seconds, rate=200)
    return measure_creature(film, world, GEYER_HERR)[0], film


def pushed() -> tuple[Array, Array]:
    """Return random pushes: their force [N], and how long the pushed walkers walked, at most DISTURBED [s]."""
    rng = np.random.default_rng(1)
    force = rng.uniform(20.0, MAX_PUSH, PUSHES) * rng.choice([-1.0, 1.0], PUSHES)
    begins = rng.uniform(5.0, 7.0, PUSHES)
    world = walker_world()
    engine, zero = Engine(world), np.zeros(PUSHES)
    numbers = engine.numbers(push=[force, zero, zero, begins, begins + PUSH_TIME])
    state = start(world, PUSHES)
    lasted = np.full(PUSHES, DISTURBED)
    for k in range(1, round(DISTURBED / 0.25) + 1):
        engine.advance(state, 250 * k, numbers)
        down = (state.q[:, 2] < MIN_HIP_HEIGHT) & (lasted == DISTURBED)
        lasted[down] = 0.25 * k
    return force, lasted


def stance_forces(film: Film) -> list[Array]:
    """Return the vertical force of each stance of the left foot over the weight, at 101 points of the stance."""
    force = film.signals["push"][:, 0, 0] / WEIGHT
    stands = np.convolve(force > 0.02, np.ones(9), "same") > 4.5  # without gaps of some frames
    starts = np.flatnonzero(stands[1:] & ~stands[:-1]) + 1
    ends = np.flatnonzero(~stands[1:] & stands[:-1]) + 1
    at = np.linspace(0.0, 1.0, 101)
    stances: list[Array] = []
    for a in starts[3:]:
        if len(after := ends[ends > a]):
            smooth = np.convolve(force[a : after[0]], np.ones(5) / 5.0, "same")  # 25 ms
            stances.append(np.interp(at, np.linspace(0.0, 1.0, len(smooth)), smooth))
    return stances


def draw(stances: list[Array]) -> None:
    """Write the picture of vertical forces, beside those of people."""
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "gambol"
    figure, axes = plt.subplots(figsize=(7.0, 4.2), layout="constrained")
    at = np.linspace(0.0, 100.0, 101)
    for k, stance in enumerate(stances):
        axes.plot(at, stance, color="C1", alpha=0.25, label="walker, each stance" if k == 0 else None)
    axes.plot(at, np.mean(stances, axis=0), color="C1", lw=2.5, label="walker, mean")
    marks = np.array(HUMAN)
    axes.plot(at, PchipInterpolator(*marks.T)(at / 100.0), "k--", label="people, through marks of textbooks")
    axes.plot(100.0 * marks[1:-1, 0], marks[1:-1, 1], "ko")
    axes.set(xlabel="part of stance [%]", ylabel="vertical force of the ground / weight", xlim=(0, 100), ylim=(0, None))
    axes.legend()
    with atomic_write(PICTURE) as path:
        figure.savefig(path, format="svg", metadata={"Date": None})
    plt.close(figure)


def table(mechanical: CreatureMeasures, metabolic: CreatureMeasures) -> str:
    """Return the table of measures beside those of people."""
    m = mechanical
    ours = {
        "speed": f"{m.speed_m_per_s:.2f} m/s",
        "step length": f"{0.5 * m.stride_m:.2f} m",
        "stride": f"{m.stride_s:.2f} s",
        "duty factor": f"{np.mean(list(m.duty_factor.values())):.2f}",
        "mechanical cost of transport": f"{m.cost_of_transport:.3f}",
        "metabolic cost of transport": f"{metabolic.cost_of_transport:.3f}",
    }
    lines = ["| | walker | people |", "| --- | ---: | ---: |"]
    return "\n".join([*lines, *(f"| {name} | {value} | {PEOPLE[name]} |" for name, value in ours.items())])


def main() -> int:
    """Write the page; return 1 if it falls on level ground or over steps of 2 cm."""
    console = Console()
    level, film = walk(walker_world())
    metabolic, _ = walk(with_metabolism(walker_world()))
    console.print(level)
    stances = stance_forces(film)
    draw(stances)
    mean = np.mean(stances, axis=0)
    rough = [walk(walker_world(ground=ground_steps(0.02, seed)), DISTURBED)[0] for seed in range(GROUNDS)]
    slopes = {slope: walk(walker_world(slope=float(np.arctan(slope))), DISTURBED)[0] for slope in SLOPES}
    force, lasted = pushed()
    standing = int((lasted == DISTURBED).sum())
    steps = sum(not one.fell for one in rough)
    console.print(f"steps {steps} of {len(rough)}, pushes {standing} of {PUSHES}", lasted)
    parts = [
        HEAD,
        table(level, metabolic),
        "\nMechanical cost: the positive work of all contractile elements together, divided by weight times distance.",
        "Metabolic cost: the same, with the heat of the model of Umberger et al. 2003 in addition.\n",
        f"It {'fell' if level.fell else 'did not fall'} in {SECONDS:.0f} s. Of the work of its muscles, "
        f"{level.unaccounted_energy_fraction:.2%} is unaccounted for; this is the error of steps of 1 ms.\n",
        "![Vertical force of the ground in a stance](geyer-herr.svg)\n",
        f"The mean force has peaks of {mean[10:45].max():.2f} and {mean[55:90].max():.2f} and a valley of "
        f"{mean[30:65].min():.2f} weights. The ground is rigid here, so a landing heel has a short, high force.\n",
        "## Disturbances\n",
        "- Steps of 0.6 m with random heights that differ by at most 2 cm: "
        f"no fall on {steps} of {len(rough)} grounds in {DISTURBED:.0f} s.",
        f"- Pushes of {PUSH_TIME} s at the trunk, 20 to {MAX_PUSH:.0f} N, forward or backward, at random times: "
        f"no fall after {standing} of {PUSHES} in {DISTURBED:.0f} s. Pushes that made it fall: "
        + (", ".join(f"{x:.0f} N" for x, t in zip(force, lasted, strict=True) if t < DISTURBED) or "none")
        + ".",
        "- Slopes (rise over run): "
        + "; ".join(
            f"{s:+.0%} " + (f"falls after {one.fell_at_s:.1f} s" if one.fell else f"{one.speed_m_per_s:.2f} m/s")
            for s, one in slopes.items()
        )
        + ".",
    ]
    with atomic_write(PAGE) as path:
        path.write_text("\n".join(parts) + "\n")
    return int(level.fell or steps < len(rough))


if __name__ == "__main__":
    raise SystemExit(main())
