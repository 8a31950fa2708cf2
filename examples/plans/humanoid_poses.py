"""Key poses in time for the humanoid of gymnasium, physics between: it squats in the middle of a second, and rises."""

import math
from importlib.util import find_spec
from pathlib import Path

import numpy as np

from gambol.formats import read_mjcf
from gambol.plan import Cost, Phase, Plan, Pose, solve

SQUAT = 0.2  # m


def main() -> None:
    found = find_spec("gymnasium")
    assert found is not None, "the humanoid is gymnasium's: pip install gymnasium"
    model = read_mjcf(Path(str(found.origin)).parent / "envs/mujoco/assets/humanoid.xml")
    figure, height = model.figure, model.q[6] - 0.157  # knees a little bent, soles on the ground
    joints = [link.name for link in figure.links if link.joint.kind == "revolute"]
    ranges = {n: (s.lower, s.upper) for n in joints if math.isfinite((s := model.springs[n]).lower)}
    still = {figure.root.name: (0.0,) * 6} | dict.fromkeys(joints, 0.0)
    bent = {n: float(np.clip(0.0, *ranges.get(n, (-1.0, 1.0)))) for n in joints}

    def trunk(z: float) -> dict[str, tuple[float, ...]]:
        return {figure.root.name: (1.0, 0.0, 0.0, 0.0, 0.0, 0.0, z)}

    plan = Plan(
        figure,
        (Phase("stand", 1.0, ("left_foot", "right_foot"), intervals=8),),
        "humanoid squat",
        torques=dict.fromkeys(joints, math.inf),
        limits=ranges,
        springs=model.springs,
        start=Pose(positions=trunk(height), velocities=still),
        poses=(Pose(0.5, {figure.root.name: (*(None,) * 6, height - SQUAT)}),),
        goal=Pose(positions=trunk(height), velocities=still),
        guess=(Pose(0.0, bent), Pose(1.0, bent)),
        costs=(Cost("acceleration"),),
    )
    result = solve(plan)
    dip = height - result.trajectory.q[:, 6].min()
    print(f"squats by {dip:.3f} m; solved: {result.solved}, {result.iterations} iterations, {result.seconds:.0f} s")
    assert result.solved
    assert dip >= SQUAT - 1e-6


if __name__ == "__main__":
    main()
