"""Run the stored controllers in gambol and in MuJoCo, and write the page: `python -m validation.bars`.

With --evolve, evolve them again first; that takes minutes. With names, only those bodies.
"""

import sys

import numpy as np

from gambol.formats import atomic_write
from validation.bars.body import BODIES
from validation.bars.comparison import SINCE, SPREAD, STARTS, STEPS, WANTED, SpeedComparison, compare_speeds
from validation.bars.evolving import CONDITIONS, POPULATION, RUNS, evolve
from validation.bars.stored import FOLDER, StoredController, load_controller
from validation.summary import Entry, at_least, write_entries

PAGE = FOLDER.parents[1] / "docs" / "validation" / "bars.md"

HEAD = f"""# Creatures of gymnasium, evolved here and checked in MuJoCo

Made by `python -m validation.bars` from controllers that are kept beside it; with `--evolve` they are evolved again.

Bodies are those of the gymnasium package, read from its files by `read_mjcf`: masses, rotors, springs, dampers, limits,
shapes and friction. Each motor gets a servo that follows targets in its joint's range and is as strong as the motor.
A spectral pattern with two harmonics, open loop, makes the targets. CMA-ES breeds it to be fast along x (the least of
the mean speeds in four windows, less 0.02 of the cost of transport), with {POPULATION} patterns in a generation. Each
has {len(CONDITIONS)} rollouts and the worst of them counts: with other friction (0.6 to 1.4 of the file's), other
starts, weaker motors, a push of 0.3 or 0.4 of the weight for half a second, a restitution of the ground of 0 to 0.4,
and bumps in it, up to 2 cm high for the half cheetah and 1 cm for the ant. The swimmer has no ground but a medium, with
density in place of friction, and shoves a tenth as strong. The ant's left legs do what its right legs did half a cycle
earlier.

Then the same pattern and servos, as the plain Python that gambol compiles, drive MuJoCo's motors at every step of
MuJoCo's. No creature lives there while it is bred, but how to breed was chosen by what came of it there: see below.
Speeds are means along x from {SINCE:g} s to the end of 10 s, over {STARTS} starts: one at rest and {STARTS - 1} with
joints off by {SPREAD} rad. Steps of MuJoCo are the file's own 10 ms, and finer
ones. Wanted: at least {WANTED:.0%} of the speed is kept.
"""

WHY = f"""## What it took

Patterns that were bred on level ground, without shoves, were as fast here and fell over or skidded in MuJoCo: a half
cheetah kept 30 % of 3.0 m/s, and in steps of 2 ms nothing. MuJoCo's ground gives way by one or two centimetres under
this body (`solimp="0 0.8 0.01"`), and where it presses lightly friction creeps. Neither is imitated here. Bumps of
that height make the exact moment at which a foot lands unimportant, and what does not hang on it is kept.

The ant's trunk and legs weigh 0.9 kg, and the rotor of each joint has 1 kg m2: whatever its servos do quickly throws
it into the air. Patterns of 2 to 3 Hz, 2.2 to 3.3 m/s fast here, lost half of their speed, for each landing differs on
softer ground; without mirrored legs they curled, too. So its rhythm is at most {BODIES["ant"].max_frequency:g} Hz, at
which its feet are not thrown off the ground.

So lives and bounds were chosen with an eye on MuJoCo, in five runs of the half cheetah and seven of the ant that are
not kept. Another seed (11) was run only afterwards, with all as it is: the half cheetah of 1.88 m/s kept 93, 83 and
83 % in steps of 10, 5 and 2 ms, the ant of 0.99 m/s 99, 100 and 102 %. It does not hold for any choice of lives: with
restitutions up to 0.6 a half cheetah of 2.45 m/s (seed 7) kept half, in steps of 2 ms a third. Of the six starts of the
kept one, one falls in steps of 10 ms, none in finer ones.

In the air both engines agree: from the same start the joints under the same servos are within 0.08 rad of each other
after 0.8 s, of which 0.04 rad are the error of MuJoCo's own steps of 10 ms. Where MuJoCo's ground is made hard, the
first half second of an ant of 2 Hz is the same, too: within 2.5 cm and 0.01 rad.

## The swimmer

It swims through a medium (density 4000 kg/m3, viscosity 0.1 Pa s) that drags at each link as MuJoCo's does. With the
sides b of the box that has its inertia, in that box's axes:

    f_i = -rho b_j b_k |v_i| v_i / 2 - 3 pi beta d v_i                             d = (b_x + b_y + b_z) / 3
    n_i = -rho b_i (b_j^4 + b_k^4) |w_i| w_i / 64 - pi beta d^3 w_i

What it takes out of the motion is booked as damping. In any state the forces of both engines are the same to rounding
(`tests/contact/test_medium.py`), and no ground makes them differ: the first patterns that were bred kept their speed,
and so did those of another seed (2), of 0.35 m/s. From rest the kept one swims 0.3515, 0.3489 and 0.3485 m/s here in
steps of 5, 1 and 0.5 ms, in MuJoCo 0.3484, 0.3482 and 0.3482 m/s in steps of 10, 2 and 0.5 ms: both go to the same
speed.
"""

TOLD = """
Medians over the starts; in brackets what is kept, and what the worst start keeps. Minutes are those of one core that
others used too.
"""


def row(one: StoredController, found: SpeedComparison) -> str:
    """Return the table row of a body."""
    here, there = float(np.median(found.here)), [np.median(found.there[step]) for step in STEPS]
    worst = [min(found.speed_ratio(step)) for step in STEPS]
    cells = [
        one.body.replace("_", " "),
        f"{len(one.genes)}",
        f"{one.seed}",
        f"{one.lives:,}",
        f"{one.minutes:.1f}",
        f"{here:.2f}",
        *(f"{x:.2f} ({x / here:.0%}; worst {w:.0%})" for x, w in zip(there, worst, strict=True)),
    ]
    return "| " + " | ".join(cells) + " |"


def body_entries(one: StoredController, found: SpeedComparison) -> list[Entry]:
    """Return the share of its speed that a body keeps in MuJoCo, for each of MuJoCo's steps."""
    return [
        at_least(
            f"{one.body}: part of the speed kept in MuJoCo, steps of {step:g} s",
            "stepping",
            float(np.median(found.speed_ratio(step))),
            WANTED,
        )
        for step in STEPS
    ]


def main(*words: str) -> int:
    """Write the page; return 1 if a body keeps too little of its speed."""
    names = [word for word in words if not word.startswith("-")] or list(BODIES)
    for name in names if "--evolve" in words else ():
        sys.stdout.write(f"{evolve(BODIES[name], *RUNS[name]).write()}\n")
    steps = [f"MuJoCo, {step * 1e3:g} ms" for step in STEPS]
    head = ["body", "genes", "seed", "lives", "minutes", "gambol [m/s]", *steps]
    lines, missed = [HEAD, "| " + " | ".join(head) + " |", "| --- " * len(head) + "|"], 0
    entries: list[Entry] = []
    for name in BODIES:
        one = load_controller(name)
        found = compare_speeds(one)
        lines.append(row(one, found))
        sys.stdout.write(lines[-1] + "\n")
        own = body_entries(one, found)
        missed += not all(entry.met for entry in own)
        entries += own
    with atomic_write(PAGE) as path:
        path.write_text("\n".join([*lines, TOLD, WHY]), encoding="utf-8")
    write_entries("bars", entries)
    return int(missed > 0)


sys.exit(main(*sys.argv[1:]))
