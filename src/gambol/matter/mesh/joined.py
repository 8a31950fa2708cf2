"""Several meshes as one, so that they can touch each other."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gambol.errors import WorldError
from gambol.matter.mesh.parts import Bends, Hinges, Springs
from gambol.matter.mesh.spring_mesh import SpringMesh


def joined(meshes: Sequence[SpringMesh], name: str = "meshes") -> SpringMesh:
    """Return one mesh with the points, springs, hinges, bends, triangles, pins and twists of several, in their order.

    The points of each mesh follow the points of the previous mesh. name: name of the result. Raises WorldError for no
    mesh, for several meshes with gas, and for points of two meshes that coincide.
    """
    if not meshes:
        raise WorldError("there are no meshes to join")
    with_gas = [k for k, mesh in enumerate(meshes) if mesh.gas is not None]
    if len(with_gas) > 1:
        names = " and ".join(f'"{meshes[k].name}"' for k in with_gas)
        raise WorldError(f"{names} contain gas; only one of the joined meshes may, so make soft bodies of the others")
    starts = np.cumsum([0, *(len(mesh.points) for mesh in meshes[:-1])])
    placed = list(zip(meshes, starts.tolist(), strict=True))
    gas, enclosing = None, None
    if with_gas:
        inside, first = meshes[with_gas[0]], sum(len(mesh.triangles) for mesh in meshes[: with_gas[0]])
        triangles = np.arange(len(inside.triangles)) if inside.enclosing is None else inside.enclosing
        gas, enclosing = inside.gas, first + triangles
    return SpringMesh(
        np.concatenate([m.points for m in meshes]),
        np.concatenate([m.masses for m in meshes]),
        Springs.joined(*(replace(m.springs, ends=m.springs.ends + k) for m, k in placed)),
        Hinges.joined(*(replace(m.hinges, corners=m.hinges.corners + k) for m, k in placed)),
        Bends.joined(*(replace(m.bends, corners=m.bends.corners + k) for m, k in placed)),
        np.concatenate([m.triangles + k for m, k in placed]),
        np.concatenate([m.pins + k for m, k in placed]),
        gas,
        name,
        enclosing,
        tuple(replace(twist, points=twist.points + k) for m, k in placed for twist in m.twists),
    )
