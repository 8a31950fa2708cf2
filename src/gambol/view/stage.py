"""A lit stage for PyVista: a film's figure on its ground, posed frame by frame, photographed off screen.

Everything is drawn in units of the figure's size, because cameras are made for things of about 1. Actors are made
once; a frame only sets their matrices and colours, and the corners of the shadow.
"""

from importlib import import_module
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.view.opengl import hushed
from gambol.view.scene import look
from gambol.view.scene.distance import distance_to_see
from gambol.view.scene.framing import Framing, frame_film, near_path
from gambol.view.scene.meshes import Mesh, ground_mesh, shape_mesh
from gambol.view.scene.pose import pose
from gambol.view.scene.shadow import Shadow, level_of
from gambol.world.film import Film

Array = NDArray[np.float64]
Image = NDArray[np.uint8]  # (height, width, 3)
FIELD = 22.0  # [deg] a portrait lens: small things look their size only if lines do not run together
ELEVATION, AZIMUTH = 26.0, -42.0  # [deg] above the ground; from the heading towards the figure's right
DISTANCE, FARTHEST = 3.2, 9.6  # sizes from the camera to the figure: as a rule, and where more is to be seen
FLOOR = 16.0  # half width of the drawn ground, in sizes: its edge lies outside the picture
LIFT = 0.002  # of the grid above the floor and of the shadow above the grid, in sizes; below what a pixel shows
UP = np.array([0.0, 0.0, 1.0])


class Stage:
    """A film's world on a stage: pose(frame), aim(frame), photograph(). Use it in a with block: it holds OpenGL.

    A film that cannot be drawn, or a world it has not, raises GambolError.
    """

    def __init__(self, film: Film, width: int, height: int, world: int = 0) -> None:
        self.film = film.of_worlds([world])
        self.framing: Framing = frame_film(self.film)
        needed = distance_to_see(self.film, self.framing, self._towards(), FIELD, width / height)
        self._distance = min(max(DISTANCE, needed), FARTHEST)
        self.looks = look.link_looks(film)
        self._pv: Any = import_module("pyvista")
        self._pv.OFF_SCREEN = True
        with hushed():
            self._plotter: Any = self._pv.Plotter(off_screen=True, window_size=[width, height], lighting="none")
            self._plotter.enable_anti_aliasing("msaa", multi_samples=4)
        self._plotter.set_background(look.SKY)
        self._step = look.round_length(self.framing.length / 2.0)
        self._actors = [self._add(shape_mesh(s), self.looks[s.link].color)[1] for s in film.shapes]
        self._fixed = [pose(np.array(s.quaternion), np.array(s.position) / self.framing.size) for s in film.shapes]
        self._floor = self._add_ground()
        self._sun_way = self._seen_from_behind(look.SUN)
        self._shadow = Shadow(self.film, 0)
        flat = Mesh(self._shadow.corners(0, self._sun_way), np.empty((0, 3)))
        self._shade = self._add(flat, look.SHADOW if self._floor else look.SHADOW_ON_HILLS, lighting=False)[0]
        self._light()

    def __enter__(self) -> "Stage":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._plotter.close()

    def pose(self, frame: int) -> None:
        """Move every shape and the shadow to where they were in a frame, and give stepping legs their colour."""
        size = self.framing.size
        p, q = self.film.position[frame, 0] / size, self.film.quaternion[frame, 0]
        links = [pose(q[i], p[i]) for i in range(len(p))]
        stepping = self.film.signals.get("stepping")
        for shape, fixed, actor in zip(self.film.shapes, self._fixed, self._actors, strict=True):
            actor.user_matrix = links[shape.link] @ fixed
            looks = self.looks[shape.link]
            if stepping is not None and looks.leg is not None:
                steps = stepping[frame, 0, looks.leg] > 0.5
                actor.prop.color = look.STEPPING if steps else looks.color
        self._shade.points = self._shadow.corners(frame, self._sun_way) / size + 2.0 * LIFT * UP

    def aim(self, frame: int) -> None:
        """Point the camera at the figure's calm centre."""
        focus = self.framing.path[frame, 0] / self.framing.size
        camera = self._plotter.camera
        camera.focal_point, camera.position, camera.up = focus, focus + self._distance * self._towards(), UP
        camera.view_angle, camera.clipping_range = FIELD, (0.1 * self._distance, 4.0 * FLOOR)
        cell, flat = float(self._step / self.framing.size), np.array([1.0, 1.0, 0.0])
        corner: Array = np.rint(focus / cell) * flat * cell
        for actor in self._floor:  # by whole cells, so that the grid seems to stay
            actor.user_matrix = pose(np.array([1.0, 0.0, 0.0, 0.0]), corner)

    def caption(self, text: str) -> None:
        """Write a line in the lower left corner of the picture, in place of the one before."""
        self._plotter.add_text(text, position=(18, 14), font_size=11, color=look.INK, name="caption", render=False)

    def photograph(self) -> Image:
        """The picture that the camera sees (height, width, 3)."""
        with hushed():
            self._plotter.render()  # a screenshot alone may give the last picture again
            image: Image = self._plotter.screenshot(return_img=True)
        return image[..., :3]

    def pixels_per_metre(self, height: int) -> float:
        """How many pixels a metre at the focus covers in a picture of this height."""
        return float(height / (2.0 * np.tan(np.radians(FIELD / 2.0)) * self._distance * self.framing.size))

    def _towards(self) -> Array:
        """The direction from the figure to the camera."""
        a, e = np.radians(AZIMUTH), np.radians(ELEVATION)
        return self._seen_from_behind((np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)))

    def _seen_from_behind(self, direction: tuple[float, float, float]) -> Array:
        """World coordinates of a direction given as (ahead, left, up) of the figure."""
        ahead = self.framing.heading
        return direction[0] * ahead + direction[1] * np.cross(UP, ahead) + direction[2] * UP

    def _add(self, mesh: Mesh, color: str | None, **options: Any) -> tuple[Any, Any]:
        """Put a mesh [m] on the stage; its data and its actor. color: None where options give that of each corner."""
        faces = np.arange(len(mesh.corners)).reshape(-1, 3)
        data = self._pv.PolyData.from_regular_faces(mesh.corners / self.framing.size, faces)
        if len(mesh.normals):
            data.point_data.active_normals = mesh.normals
        settings: dict[str, Any] = {"ambient": 0.15, "diffuse": 0.85, "specular": look.SHEEN, "specular_power": 20}
        actor = self._plotter.add_mesh(data, color=color, smooth_shading=bool(len(mesh.normals)), **settings | options)
        return data, actor

    def _add_ground(self) -> list[Any]:
        """The actors that aim moves along under the figure: a floor and its grid. Hills stay where they are."""
        plain: dict[str, Any] = {"specular": 0.0, "ambient": 0.5, "diffuse": 0.6}
        level = level_of(self.film.ground)
        if level is None:
            self._add_hills(ground_mesh(near_path(self.film.ground, self.framing, FLOOR)))
            return []
        reach = FLOOR * self.framing.size
        floor = Mesh(_ribbon(-reach, reach, -reach, reach, level), np.tile(UP, (6, 1)))
        grid = self._grid(reach / 2.0, level + LIFT * self.framing.size)
        return [self._add(floor, look.GROUND, **plain)[1], self._add(grid, look.GRID, **plain)[1]]

    def _add_hills(self, hills: Mesh) -> None:
        """Uneven ground, coloured by height, with contour lines."""
        z = hills.corners[:, 2]
        low, high = float(z.min()), float(z.max())
        valley, peak = (np.array(self._pv.Color(color).int_rgb) for color in (look.VALLEY, look.PEAK))
        colors = valley + (peak - valley) * ((z - low) / (high - low))[:, None]
        plain: dict[str, Any] = {"specular": 0.0}  # less ambient light than a floor: shade is what shows a slope
        data, _ = self._add(hills, None, scalars=colors.astype(np.uint8), rgb=True, **plain)
        levels = [level / self.framing.size for level in look.contour_levels(low, high)]
        lines = data.contour(levels, scalars=data.points[:, 2]).translate(LIFT * UP)
        if lines.n_points:
            self._plotter.add_mesh(lines, color=look.CONTOUR, line_width=1.5, lighting=False)

    def _grid(self, half: float, z: float) -> Mesh:
        """Ribbons at height z [m], above level ground, at round distances."""
        step, thick = self._step, 0.003 * self.framing.size
        at = step * np.arange(-int(half / step), int(half / step) + 1)
        ribbons = [_ribbon(-half, half, t - thick, t + thick, z) for t in at]
        ribbons += [_ribbon(t - thick, t + thick, -half, half, z) for t in at]
        corners = np.concatenate(ribbons)
        return Mesh(corners, np.tile(UP, (len(corners), 1)))

    def _light(self) -> None:
        """A warm sun and a cool fill from the camera."""
        sun = self._pv.Light(light_type="scene light", color="#fff3e0", intensity=0.85, positional=False)
        sun.position, sun.focal_point = 10.0 * self._sun_way, (0.0, 0.0, 0.0)
        self._plotter.add_light(sun)
        self._plotter.add_light(self._pv.Light(light_type="headlight", color="#e6edff", intensity=0.45))


def _ribbon(x0: float, x1: float, y0: float, y1: float, z: float) -> Array:
    """Two triangles that cover a rectangle at height z."""
    return np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y0, z], [x1, y1, z], [x0, y1, z]])
