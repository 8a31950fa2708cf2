"""Bad meshes get clear words before work; good ones have the masses, lengths and volumes of geometry."""

import numpy as np
import pytest
from meshes import flag, octahedron

from gambol.errors import WorldError
from gambol.matter.mesh import (
    ClothMaterial,
    Gas,
    SpringMesh,
    Springs,
    SurfaceMaterial,
    cloth,
    read_surface_mesh,
    rope,
    soft_body,
    surface_mesh,
)

SQUARE = np.array([[0.0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])


def spring(a: int, b: int, rest: float = 1.0) -> Springs:
    return Springs(np.array([[a, b]]), np.array(rest), np.array(1.0), np.array(0.0))


BAD = {
    "points 1 and 2 are both at": lambda: SpringMesh(np.array([[0.0, 0, 0], [1, 0, 0], [1, 0, 0]]), np.ones(3)),
    "point 1 has a mass of 0 kg": lambda: SpringMesh(SQUARE, np.array([1.0, 0.0, 1.0, 1.0])),
    "point 2 has a mass of nan": lambda: SpringMesh(SQUARE, np.array([1.0, 1.0, np.nan, 1.0])),
    "point 3 is at": lambda: SpringMesh(np.vstack([SQUARE[:3], [0.0, np.inf, 0.0]]), np.ones(4)),
    "triangle 0 .* has no area": lambda: SpringMesh(
        np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]), np.ones(3), triangles=np.array([[0, 1, 2]])
    ),
    "has no length": lambda: SpringMesh(SQUARE, np.ones(4), spring(0, 1, 0.0)),
    "must be distinct": lambda: SpringMesh(SQUARE, np.ones(4), spring(2, 2)),
    "but points are 0 to 3": lambda: SpringMesh(SQUARE, np.ones(4), spring(0, 4)),
    "the surface has a hole": lambda: SpringMesh(
        SQUARE, np.ones(4), triangles=np.array([[0, 1, 2], [0, 2, 3]]), gas=Gas(10.0)
    ),
    "face inwards": lambda: surface_mesh(octahedron()[0], octahedron()[1][:, ::-1], gas=Gas(10.0)),
    "belongs to no triangle": lambda: surface_mesh(SQUARE, [[0, 1, 2]]),
    "face opposite sides": lambda: surface_mesh(SQUARE, [[0, 1, 2], [0, 3, 2]]),
    "more than two triangles": lambda: surface_mesh(
        np.vstack([SQUARE, [0.5, 0.5, 1.0]]), [[0, 1, 2], [1, 0, 3], [0, 1, 4]]
    ),
    "two or more points": lambda: rope([[0.0, 0, 0]], density=1.0, stretch=1.0),
    "density of 0": lambda: rope([[0.0, 0, 0], [1, 0, 0]], density=0.0, stretch=1.0),
    "2 x 2 or more": lambda: cloth(1, 5, 0.1),
    "1,000,000,000,000 points is too large": lambda: cloth(10**6, 10**6, 0.1),
    "axes .* parallel": lambda: cloth(2, 2, 0.1, axes=((1, 0, 0), (2, 0, 0))),
    "the density above 0": lambda: ClothMaterial(density=0.0),
}


@pytest.mark.parametrize("words", BAD)
def test_an_impossible_mesh_is_refused_with_its_reason(words):
    with pytest.raises(WorldError, match=words):
        BAD[words]()


def test_a_cloth_has_its_mass_and_its_threads():
    mesh = flag(7, 5, density=0.3)
    assert mesh.masses.sum() == pytest.approx(0.3 * 1.5 * 1.0, rel=1e-12)
    counts = {kind: int((mesh.springs.kind == kind).sum()) for kind in ("warp", "weft", "shear", "bend")}
    assert counts == {"warp": 7 * 4, "weft": 6 * 5, "shear": 2 * 6 * 4, "bend": 7 * 3 + 5 * 5}
    assert np.allclose(mesh.springs.rest[mesh.springs.kind == "shear"], 0.25 * 2**0.5)


def test_a_closed_surface_encloses_its_volume_and_has_eulers_number_of_edges():
    points, triangles = octahedron(2.0, 3)
    mesh = surface_mesh(points, triangles, SurfaceMaterial(virtual=10.0, hinge=1.0), gas=Gas(5.0))
    edges = int((mesh.springs.kind == "edge").sum())
    assert len(points) - edges + len(triangles) == 2
    # the volume of a polyhedron inside a sphere falls short of it by the square of the edges' length
    assert mesh.volume(mesh.points) == pytest.approx(4.0 / 3.0 * np.pi * 8.0, rel=0.03)
    assert len(mesh.hinges) == edges == int((mesh.springs.kind == "virtual").sum())
    body = soft_body(mesh, stiffness=50.0)
    assert len(body.points) == len(points) + 1
    assert np.allclose(body.springs.rest[body.springs.kind == "internal"], 2.0)


def test_a_mesh_is_read_from_a_file(tmp_path):
    points, triangles = octahedron(1.0, 1)
    lines = [f"v {x} {y} {z}" for x, y, z in points] + [f"f {a + 1} {b + 1} {c + 1}" for a, b, c in triangles]
    (tmp_path / "ball.obj").write_text("\n".join(lines))
    mesh = read_surface_mesh(tmp_path / "ball.obj", SurfaceMaterial(density=2.0), scale=0.5)
    assert np.allclose(mesh.points, 0.5 * points)
    sides = points[triangles]
    area = np.linalg.norm(np.cross(sides[:, 1] - sides[:, 0], sides[:, 2] - sides[:, 0]), axis=1).sum() / 2
    assert mesh.masses.sum() == pytest.approx(2.0 * area / 4.0)


def test_springs_have_no_dampers_by_default():
    springs = Springs(np.array([[0, 1], [1, 2]]), 0.5, 10.0)
    assert springs.damping.tolist() == [0.0, 0.0]
    assert SpringMesh(SQUARE[:3], np.ones(3), springs).volume(SQUARE[:3]) == 0.0
