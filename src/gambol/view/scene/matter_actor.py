"""A mesh, particles or a muscle of a film as an actor of PyVista."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.view.scene.look import SHEEN
from gambol.view.scene.tube import ACTIVE, IDLE, tube, tube_triangles
from gambol.world.film import FilmMatter, FilmMesh, FilmMuscle, FilmParticles

LINE_WIDTH = 2.0  # [pixels] of threads and streaks
BALL = """//VTK::Color::Impl
float r = dot(offsetVCVSOutput.xy, offsetVCVSOutput.xy);
if (r > 1.0) discard;
float shade = 0.55 + 0.45 * sqrt(1.0 - r);
ambientColor *= shade;
diffuseColor *= shade;
"""
"""Shader code of a ball that faces the camera, shaded as in the page."""


class MatterActor:
    """Shows a mesh, particles or a muscle, frame by frame. Lengths are in units of size [m], the figure's size."""

    def __init__(self, pyvista: Any, plotter: Any, matter: FilmMatter, size: float) -> None:
        self._pv, self._plotter, self._matter, self._size = pyvista, plotter, matter, size
        self._actors: list[Any] = []

    def show(self, frame: int) -> None:
        """Show another frame of the film."""
        for actor in self._actors:
            self._plotter.remove_actor(actor, render=False)
        matter = self._matter
        if isinstance(matter, FilmMesh):
            self._actors = self._mesh(matter, frame)
        elif isinstance(matter, FilmMuscle):
            self._actors = self._muscle(matter, frame)
        else:
            self._actors = self._particles(matter, frame)

    def _mesh(self, mesh: FilmMesh, frame: int) -> list[Any]:
        points, actors = mesh.points[frame] / self._size, list[Any]()
        shown = slice(None) if mesh.visible is None else mesh.visible[frame]
        triangles = mesh.triangles if mesh.lines_tear else mesh.triangles[shown]
        lines = mesh.lines[shown] if mesh.lines_tear else mesh.lines
        if len(triangles):
            data = self._pv.PolyData.from_regular_faces(points, triangles)
            shading: dict[str, Any] = {"smooth_shading": True, "ambient": 0.2, "diffuse": 0.8, "specular": 0.1 * SHEEN}
            actors.append(self._plotter.add_mesh(data, color=mesh.color, render=False, **shading))
        if len(lines):
            actors.append(self._lines(points, lines, mesh.color))
        return actors

    def _muscle(self, muscle: FilmMuscle, frame: int) -> list[Any]:
        points, size = muscle.points[frame].astype(float) / self._size, self._size
        corners, normals = tube(points, muscle.width / size, float(muscle.force[frame]))
        data = self._pv.PolyData.from_regular_faces(corners.reshape(-1, 3), tube_triangles())
        data.point_data.active_normals = normals.reshape(-1, 3)
        idle, active = (np.array(self._pv.Color(color).float_rgb) for color in (IDLE, ACTIVE))
        color = (idle + (active - idle) * float(muscle.activation[frame])).tolist()
        shading: dict[str, Any] = {"smooth_shading": True, "ambient": 0.25, "diffuse": 0.8, "specular": SHEEN}
        return [self._plotter.add_mesh(data, color=color, render=False, **shading)]

    def _lines(self, points: NDArray[Any], lines: NDArray[Any], color: Any, **options: Any) -> Any:
        cells = np.column_stack([np.full(len(lines), 2), lines]).reshape(-1)
        data = self._pv.PolyData(points, lines=cells)
        settings: dict[str, Any] = {"color": color, "line_width": LINE_WIDTH, "lighting": False, "render": False}
        if color is None:
            data.point_data["tint"] = options["tint"]
            settings |= {"scalars": "tint", "rgb": True}
        return self._plotter.add_mesh(data, **settings)

    def _particles(self, particles: FilmParticles, frame: int) -> list[Any]:
        rows = particles.frame(frame)
        points, colors = particles.points[rows] / self._size, particles.colors[rows]
        if not len(points):
            return []
        if particles.streak > 0.0:
            tails = points - particles.velocities[rows] * (particles.streak / self._size)
            n = len(points)
            lines, faded = np.column_stack([np.arange(n), n + np.arange(n)]), colors * np.array([1, 1, 1, 0], np.uint8)
            return [self._lines(np.concatenate([points, tails]), lines, None, tint=np.concatenate([colors, faded]))]
        data = self._pv.PolyData(points)
        data.point_data["tint"], data.point_data["radius"] = colors, particles.radii[rows] / self._size
        options: dict[str, Any] = {"style": "points_gaussian", "emissive": particles.glow, "render": False}
        actor = self._plotter.add_mesh(data, scalars="tint", rgb=True, **options)
        actor.mapper.scale_factor = 1.0
        actor.mapper.scale_array = "radius"
        if not particles.glow:
            actor.mapper.SetSplatShaderCode(BALL)
        return [actor]
