"""Several meshes as one, so that they can touch each other."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from gambol.errors import WorldError
from gambol.matter.mesh.parts import Bends, Hinges, Springs
from gambol.matter.mesh.spring_mesh import SpringMesh


def joined(meshes: Sequence[SpringMesh], name: str = "meshes") -> SpringMesh:
    """Return one mesh with the points, springs, hinges, bends, triangles and pins of several, in their order.

    The points of each mesh follow those of the mesh before. name: name of the result. Raises WorldError for no mesh,
    for meshes with gas, whose volume is that of one surface, and for points of two meshes that coincide.
    """
    if not meshes:
        raise WorldError("there are no meshes to join")
    for mesh in meshes:
        if mesh.gas is not None:
            raise WorldError(f'"{mesh.name}" contains gas, so it cannot touch other meshes; take a soft body instead')
    starts = np.cumsum([0, *(len(mesh.points) for mesh in meshes[:-1])])
    placed = list(zip(meshes, starts.tolist(), strict=True))
    return SpringMesh(
        np.concatenate([m.points for m in meshes]),
        np.concatenate([m.masses for m in meshes]),
        Springs.joined(*(replace(m.springs, ends=m.springs.ends + k) for m, k in placed)),
        Hinges.joined(*(replace(m.hinges, corners=m.hinges.corners + k) for m, k in placed)),
        Bends.joined(*(replace(m.bends, corners=m.bends.corners + k) for m, k in placed)),
        np.concatenate([m.triangles + k for m, k in placed]),
        np.concatenate([m.pins + k for m, k in placed]),
        name=name,
    )
