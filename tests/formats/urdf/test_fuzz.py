"""Damaged URDF files: each is read, or refused by a GambolError; nothing else may come of it."""

from pathlib import Path

import pytest
from damage import damaged

from benchmarks.robots import robot
from gambol.errors import GambolError
from gambol.formats import Specimen, read_urdf

SMALL = """<robot name="small">
<link name="base"><inertial><origin xyz="0 0 0.1" rpy="0.1 0 0"/><mass value="2"/>
<inertia ixx="0.1" iyy="0.2" izz="0.25" ixy="0.01" ixz="0" iyz="0"/></inertial>
<visual><origin xyz="0 0 1"/><geometry><mesh filename="package://small/no.stl" scale="1 1 1"/></geometry></visual>
</link>
<link name="l1"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
<collision><geometry><box size="1 2 3"/></geometry></collision></link>
<link name="l2"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="9" ixy="0" ixz="0" iyz="0"/></inertial></link>
<link name="l3"/>
<joint name="j1" type="revolute"><parent link="base"/><child link="l1"/><origin xyz="1 0 0" rpy="0 1.5708 0"/>
<axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="5" velocity="2"/><dynamics damping="0.1" friction="0.2"/></joint>
<joint name="j2" type="fixed"><parent link="l1"/><child link="l2"/></joint>
<joint name="j3" type="fixed"><parent link="l2"/><child link="l3"/></joint>
<transmission name="t"><joint name="j1"/><actuator name="a"><mechanicalReduction>50</mechanicalReduction></actuator>
</transmission><gazebo reference="l1"><mu1>0.5</mu1></gazebo></robot>"""


def seeds() -> tuple[str, ...]:
    files = (robot(name).path.read_text() for name in ("UR5", "Solo 12"))
    return (SMALL, SMALL, *files)


def outcome(folder: Path, given: tuple[str, ...], seed: int) -> str:
    """What came of a damaged file; whatever is read must be a whole specimen."""
    path = folder / "damaged.urdf"
    path.write_text(damaged(given, seed), encoding="utf-8", errors="replace")
    try:
        specimen = read_urdf(path, "free" if seed % 2 else "fixed", mend=seed % 3 == 0)
    except GambolError as error:
        return "refused" if str(error).startswith("damaged.urdf") else f"seed {seed} names no file: {error}"
    assert isinstance(specimen, Specimen)
    return "read"


def test_damaged_files_are_read_or_refused(tmp_path: Path):
    given = seeds()
    assert {outcome(tmp_path, given, seed) for seed in range(300)} == {"read", "refused"}


@pytest.mark.slow
def test_thousands_of_damaged_files_are_read_or_refused(tmp_path: Path):
    given = seeds()
    assert {outcome(tmp_path, given, seed) for seed in range(1000, 9000)} == {"read", "refused"}
