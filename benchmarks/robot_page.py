"""The documentation page on real robots: `python -m benchmarks.robot_page` compares all and writes it."""

import sys
from collections.abc import Iterable
from importlib.metadata import version
from pathlib import Path

from benchmarks.robot_checks import STATES, STEP, TOLERANCE, Agreement, Comparison, compare
from benchmarks.robots import ROBOTS, robot_model

PAGE = Path("docs") / "validation" / "robots.md"

HEAD = """# Real robots

Made by `python -m benchmarks.robot_page` with example-robot-data {data}, gymnasium {gym}, Pinocchio {pin} and
MuJoCo {mujoco}. gambol, Pinocchio and MuJoCo each read the file of the robot. Four quantities are then compared in
{states} random states, with joint angles and velocities of the order of 1:

- the mass matrix M;
- the bias forces: the joint forces of gravity and velocities at zero acceleration;
- forward dynamics: accelerations under the bias forces plus random forces;
- inverse dynamics: forces for random accelerations.

The tables show the largest difference, relative to the largest entry of the peer's answer. The command fails if a
difference is above {agrees:.0e}. Legged robots have a floating base, the others are fixed to the ground. Contacts,
limits, springs and dampers are off in all engines. Rotor inertias (armature) are included.

The column *file* says which file MuJoCo has read:

- "own": the robot's own file;
- "ours": the file that `write_mjcf` writes from gambol's model. In this file, the first of several links that are fixed
  to each other has the mass of all of them. MuJoCo gets this file if it refuses the mass properties of a single link in
  the robot's file: an inertia that no body can have, or none;
- "none": neither file, because some moving links have a mass or a moment of inertia below 1e-15, the least that MuJoCo
  accepts.

A motion of one second is also simulated in gambol and in MuJoCo, without joint forces, from a state near the initial
one with velocities of the order of 1. Both use the Runge-Kutta method of order 4 with steps of {step:g} ms. *Difference
after 1 s* is the largest difference of the final velocities. *MuJoCo's own error* is the change of its result when its
step is halved. Both engines make the same error in every step. The difference that remains is rounding, which a fast
rotating limb amplifies.
"""


def row(found: Comparison) -> list[str]:
    """Return the cells of a robot."""
    figure = robot_model(found.robot).figure
    cells = [found.robot.name, str(figure.nv), str(len(figure.links))]
    if found.robot.path.suffix != ".xml":
        cells += _four(found.pinocchio)
    cells += [*_four(found.mujoco), found.read]
    moved = found.motion
    return [*cells, *(["", ""] if moved is None else [f"{moved.difference:.0e}", f"{moved.theirs:.0e}"])]


def _four(found: Agreement | None) -> list[str]:
    """Return a cell each for mass matrix, bias, forward and inverse dynamics."""
    if found is None:
        return [""] * 4
    return [f"{x:.0e}" for x in (found.mass, found.bias, found.forward, found.inverse)]


def table(title: str, peers: Iterable[str], rows: Iterable[list[str]]) -> str:
    """Return a Markdown table."""
    four = ("M", "bias", "forward", "inverse")
    heads = ["robot", "dof", "links", *(f"{peer} {what}" for peer in peers for what in four)]
    heads += ["file", "difference after 1 s", "MuJoCo's own error"]
    lines = ["| " + " | ".join(cells) + " |" for cells in (heads, ["---"] * len(heads), *rows)]
    return f"\n## {title}\n\n" + "\n".join(lines) + "\n"


def page(found: list[Comparison]) -> str:
    """Return the page."""
    urdf = [row(v) for v in found if v.robot.path.suffix == ".urdf"]
    mjcf = [row(v) for v in found if v.robot.path.suffix == ".xml"]
    worst = max(a.worst for v in found for a in (v.pinocchio, v.mujoco) if a is not None)
    names = {"data": "example-robot-data", "gym": "gymnasium", "pin": "pin", "mujoco": "mujoco"}
    versions = {key: version(name) for key, name in names.items()}
    head = HEAD.format(**versions, states=STATES, agrees=TOLERANCE, step=STEP * 1e3)
    count = f"\n{len(found)} robots. The largest difference in any of the four quantities is {worst:.0e}.\n"
    tables = table("From URDF", ("Pinocchio", "MuJoCo"), urdf) + table("From MJCF", ("MuJoCo",), mjcf)
    return head + count + tables


def main() -> int:
    """Compare all robots and write the page; return 1 if a difference is too large."""
    found: list[Comparison] = []
    failed = 0
    for robot in ROBOTS:
        try:
            found.append(compare(robot))
            print(f"{robot.name}: agrees with its peers", flush=True)
        except AssertionError as error:
            failed = 1
            print(error, file=sys.stderr)
    if not failed:
        PAGE.parent.mkdir(parents=True, exist_ok=True)
        PAGE.write_text(page(found), encoding="utf-8")
    return failed


if __name__ == "__main__":
    sys.exit(main())
