"""Run the stored controllers in gambol and in MuJoCo, and write the page: `python -m validation.bars`.

With --evolve, evolve them again first; that takes minutes. With names, only those bodies.
"""

import sys

import numpy as np

from gambol.formats import atomic_write
from validation.bars.body import BODIES
from validation.bars.comparison import (
    MEASURED_FROM,
    MIN_SPEED_RATIO,
    SPREAD,
    STARTS,
    STEPS,
    SpeedComparison,
    compare_speeds,
)
from validation.bars.evolving import CONDITIONS, POPULATION, RUNS, evolve
from validation.bars.stored import FOLDER, StoredController, load_controller
from validation.summary import Entry, at_least, write_entries

PAGE = FOLDER.parents[1] / "docs" / "validation" / "bars.md"

HEAD = f"""# Creatures of gymnasium, evolved here and checked in MuJoCo

Made by `python -m validation.bars` from stored controllers; with `--evolve` they are evolved again.

The bodies are those of the gymnasium package. `read_mjcf` reads their files: masses, rotors, springs, dampers, limits,
shapes and friction. Each motor gets a servo that follows targets in the range of its joint and is as strong as the
motor. A spectral pattern with two harmonics gives the targets, in open loop. CMA-ES evolves the pattern for speed along
x: the least of the mean speeds in four time windows, minus 0.02 times the cost of transport. A generation has
{POPULATION} patterns.

Each pattern has {len(CONDITIONS)} rollouts, and the worst of them counts. Rollouts differ in friction (0.6 to 1.4 of
the file's), initial joint angles, strength of the motors, a push of 0.3 or 0.4 of the weight for half a second,
restitution of the ground (0 to 0.4), and bumps of the ground. Bumps are up to 2 cm high for the half cheetah and 1 cm
for the ant. The swimmer has a medium instead of a ground. Its density varies in place of friction, and pushes are a
tenth as strong. The ant's left legs mirror its right legs, half a cycle later.

The same pattern and servos then command MuJoCo's motors in every step of MuJoCo. There they are the plain Python code
that gambol compiles. Evolution never runs MuJoCo, but its conditions were chosen after results in MuJoCo, see below.
Speeds are means along x from {MEASURED_FROM:g} s to the end of 10 s, over {STARTS} initial states: one unchanged,
and {STARTS - 1} with random changes of the joint angles by {SPREAD} rad. MuJoCo runs with the file's own step of
10 ms, and with smaller ones. Required: at least {MIN_SPEED_RATIO:.0%} of the speed is kept.
"""

TRANSFER = f"""## Transfer to MuJoCo

Patterns that were evolved on level ground without pushes were as fast in gambol, but in MuJoCo they fell or slipped.
One half cheetah kept 30 % of 3.0 m/s, and nothing in steps of 2 ms. MuJoCo's ground yields by one or two centimetres
under this body (`solimp="0 0.8 0.01"`), and feet with a light load creep. gambol's ground does neither. On bumps of
one or two centimetres a pattern cannot depend on the exact time at which a foot lands. Patterns that were evolved on
such bumps keep their speed.

The ant's trunk and legs weigh 0.9 kg, and the rotor of each joint has 1 kg m2. Quick motions of its servos throw it
into the air. Patterns of 2 to 3 Hz ran at 2.2 to 3.3 m/s in gambol and lost half of their speed in MuJoCo, because each
landing is different on softer ground. Without mirrored legs they also ran in curves. So the ant's frequency is at
most {BODIES["ant"].max_frequency:g} Hz, at which the motions of the legs do not lift its feet off the ground.

So conditions and bounds were chosen after results in MuJoCo: five runs of the half cheetah and seven of the ant, which
are not stored. Another seed (11) was run only after this choice, with the same settings. Its half cheetah of 1.88 m/s
kept 93, 83 and 83 % in steps of 10, 5 and 2 ms, and its ant of 0.99 m/s kept 99, 100 and 102 %. The result is not true
for all conditions. With restitutions up to 0.6, a half cheetah of 2.45 m/s (seed 7) kept half of its speed, and a
third in steps of 2 ms. The stored half cheetah falls from one of the six initial states in steps of 10 ms, and from
none in smaller steps.

In the air both engines agree. From the same initial state and under the same servos, joint angles are within 0.08 rad
of each other after 0.8 s, of which 0.04 rad are the error of MuJoCo's own steps of 10 ms. If MuJoCo's ground is made
hard, the first half second of an ant of 2 Hz also agrees, within 2.5 cm and 0.01 rad.

## The swimmer

It swims in a medium (density 4000 kg/m3, viscosity 0.1 Pa s) whose drag acts on each link, as in MuJoCo. The drag is
that of a box with the link's inertia. With the sides b of the box, the force and the couple in its axes are:

    f_i = -rho b_j b_k |v_i| v_i / 2 - 3 pi beta d v_i                             d = (b_x + b_y + b_z) / 3
    n_i = -rho b_i (b_j^4 + b_k^4) |w_i| w_i / 64 - pi beta d^3 w_i

In the ledger the energy that the medium absorbs is part of damping. In any state the forces of both engines are the
same to rounding (`tests/contact/test_medium.py`), and without ground there are no other differences. The first evolved
patterns kept their speed, and so did those of another seed (2), of 0.35 m/s. From rest the stored pattern swims at
0.3515, 0.3489 and 0.3485 m/s in gambol, in steps of 5, 1 and 0.5 ms, and at 0.3484, 0.3482 and 0.3482 m/s in MuJoCo, in
steps of 10, 2 and 0.5 ms. Both converge to the same speed.
"""

NOTE = """
Numbers are medians over the initial states. Brackets give the share of the speed that is kept, and the share that the
worst initial state keeps. Minutes are those of one core that other programs used too.
"""


def row(controller: StoredController, comparison: SpeedComparison) -> str:
    """Return the table row of a body."""
    here, there = float(np.median(comparison.gambol)), [np.median(comparison.mujoco[step]) for step in STEPS]
    worst = [min(comparison.speed_ratio(step)) for step in STEPS]
    cells = [
        controller.body.replace("_", " "),
        f"{len(controller.genes)}",
        f"{controller.seed}",
        f"{controller.lives:,}",
        f"{controller.minutes:.1f}",
        f"{here:.2f}",
        *(f"{x:.2f} ({x / here:.0%}; worst {w:.0%})" for x, w in zip(there, worst, strict=True)),
    ]
    return "| " + " | ".join(cells) + " |"


def body_entries(controller: StoredController, comparison: SpeedComparison) -> list[Entry]:
    """Return the share of its speed that a body keeps in MuJoCo, for each of MuJoCo's steps."""
    return [
        at_least(
            f"{controller.body}: part of the speed kept in MuJoCo, steps of {step:g} s",
            "stepping",
            float(np.median(comparison.speed_ratio(step))),
            MIN_SPEED_RATIO,
        )
        for step in STEPS
    ]


def main(*words: str) -> int:
    """Write the page; return 1 if a body keeps too little of its speed."""
    names = [word for word in words if not word.startswith("-")] or list(BODIES)
    for name in names if "--evolve" in words else ():
        sys.stdout.write(f"{evolve(BODIES[name], *RUNS[name]).write()}\n")
    steps = [f"MuJoCo, {step * 1e3:g} ms" for step in STEPS]
    head = ["body", "genes", "seed", "rollouts", "minutes", "gambol [m/s]", *steps]
    lines, missed = [HEAD, "| " + " | ".join(head) + " |", "| --- " * len(head) + "|"], 0
    entries: list[Entry] = []
    for name in BODIES:
        controller = load_controller(name)
        comparison = compare_speeds(controller)
        lines.append(row(controller, comparison))
        sys.stdout.write(lines[-1] + "\n")
        entries_of_body = body_entries(controller, comparison)
        missed += not all(entry.met for entry in entries_of_body)
        entries += entries_of_body
    with atomic_write(PAGE) as path:
        path.write_text("\n".join([*lines, NOTE, TRANSFER]), encoding="utf-8")
    write_entries("bars", entries)
    return int(missed > 0)


sys.exit(main(*sys.argv[1:]))
