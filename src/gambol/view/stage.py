"""A PyVista scene with lights: a film's figure on its ground, rendered off screen frame by frame.

Lengths are in units of the figure's size, since cameras work best with sizes near 1. Actors are created once; a frame
only sets their matrices and colours, and the corners of the shadow.
"""

from importlib import import_module
from types import TracebackType
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from gambol.figure import Texture
from gambol.figure.visual import PLAIN_FINISH
from gambol.formats.visuals import image_pixels, transparency_of
from gambol.view.camera import Camera, FollowCamera, Subject, film_camera, film_light
from gambol.view.camera.placed import MAX_DISTANCE
from gambol.view.camera.track import UP, CameraTrack
from gambol.view.opengl import quiet_vtk
from gambol.view.scene import look
from gambol.view.scene.framing import Framing, frame_film, near_path
from gambol.view.scene.matter_actor import MatterActor
from gambol.view.scene.meshes import Mesh, ground_mesh, shape_mesh
from gambol.view.scene.pose import is_cut_off, poses_of
from gambol.view.scene.shadow import Shadow, level_of
from gambol.world.film import Film, FilmShape

Array = NDArray[np.float64]
Image = NDArray[np.uint8]  # (height, width, 3)
SUN_LIGHT = 0.85 * np.array([1.0, 0.953, 0.878])  # red, green, blue: warm
HEADLIGHT = 0.45 * np.array([0.902, 0.929, 1.0])  # of the camera: cool
FLOOR_AMBIENT, FLOOR_DIFFUSE = 0.5, 0.6  # fractions of its colour that it reflects of ambient and of directional light
FLOOR_HALF_WIDTH = 16.0  # half width of the drawn ground, in sizes: its edge lies outside the picture
MAX_TEXTURE = 2048  # pixels of the longer edge of a texture
SAMPLES = 4  # for each pixel
LIFT = 0.002  # in sizes, less than a pixel: height of the grid above the floor, and of the shadow above the grid
CAPTION_HEIGHT = 600  # [pixels] of a picture whose caption has 11 points
MIN_POINTS = 6  # of a caption
MIN_DISTANCE = 1e-3  # in sizes, of a camera that passes through the point that it looks at


class Stage:
    """The scene of one world of a film: for each picture call pose(frame), aim(frame) and screenshot().

    camera: None for the film's signal "camera" or, without it, a FollowCamera. samples: samples of each pixel, for
    smooth edges; 0 for no multisampling. Use it in a with statement, which releases OpenGL at the end. Raises
    GambolError for a film that cannot be drawn, or an unknown world.
    """

    def __init__(
        self,
        film: Film,
        width: int,
        height: int,
        world: int = 0,
        camera: Camera | None = None,
        samples: int = SAMPLES,
    ) -> None:
        self.film = film.of_worlds([world])
        self.framing: Framing = frame_film(self.film)
        recorded = film_camera(self.film) if camera is None else None
        subject = Subject(self.film, self.framing, width / height)
        self.track: CameraTrack = recorded or (camera or FollowCamera()).track(subject)
        self._light = film_light(self.film)
        self._height, self._caption = height, cast(Any, None)
        self._distance = self._field_of_view = 1.0  # of the frame at which the camera was aimed
        self.looks = look.link_looks(film)
        self._pv: Any = import_module("pyvista")
        self._pv.OFF_SCREEN = True
        with quiet_vtk():
            self._plotter: Any = self._pv.Plotter(off_screen=True, window_size=[width, height], lighting="none")
            self._plotter.render_window.SetMultiSamples(samples)
        self._plotter.set_background(look.SKY)
        self._grid_spacing = look.round_length(self.framing.length / 2.0)
        self._add_shapes(film)
        self._highlighted: set[int] = set()  # links that have the colour of a step
        self._floor_actors = self._add_ground()
        self._floor_matrices = [self._movable(actor) for actor in self._floor_actors]
        self._shadow = Shadow(self.film, 0)
        self._shadow_data = self._add_shadow()
        self._add_lights()
        self._matter = [MatterActor(self._pv, self._plotter, m, self.framing.size) for m in self.film.matter]

    def _add_shapes(self, film: Film) -> None:
        """Add an actor for each shape that is drawn, with its colour and its pose in its link."""
        self._textures: dict[Texture, Any] = {}
        self._colors = look.shape_colors(film)
        self._actors = [self._add_shape(s, c) for s, c in zip(film.drawn, self._colors, strict=True)]
        self._transparent = [a for a, s in zip(self._actors, film.drawn, strict=True) if _is_transparent(s)]
        if len(self._transparent) > 1:  # they are sorted; else they would be blended as if all were equally far away
            self._plotter.renderer.SetUseOIT(False)
        self._matrices = [self._movable(actor) for actor in self._actors]
        self._shape_links = [shape.link for shape in film.drawn]
        self._shape_poses = poses_of(
            np.reshape([s.quaternion for s in film.drawn], (-1, 4)),
            np.reshape([s.position for s in film.drawn], (-1, 3)) / self.framing.size,
        )

    def __enter__(self) -> "Stage":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._plotter.close()

    def pose(self, frame: int) -> None:
        """Set the poses of all shapes and the shadow for a frame, and the colours of stepping legs and active links."""
        size = self.framing.size
        p, q = self.film.position[frame, 0] / size, self.film.quaternion[frame, 0]
        poses = poses_of(q, p)[self._shape_links] @ self._shape_poses
        for matrix, numbers in zip(self._matrices, poses.reshape(-1, 16).tolist(), strict=True):
            matrix.DeepCopy(numbers)
        for actor, link in zip(self._actors, self._shape_links, strict=True):
            actor.visibility = not is_cut_off(self.film, frame, link)
        self._color_links(frame)
        for each in self._matter:
            each.show(frame)
        sun_direction = self._sun_direction(frame)
        self._sun.position = 10.0 * sun_direction
        self._shadow_data.points = self._shadow.corners(frame, sun_direction) / size + 2.0 * LIFT * UP

    def _color_links(self, frame: int) -> None:
        """Set the colours of the links that begin or end a step, or become active or passive."""
        highlighted = look.highlighted_links(self.film, self.looks, frame)
        changed = highlighted ^ self._highlighted
        for shape, actor, color in zip(self.film.drawn, self._actors, self._colors, strict=True):
            if shape.link in changed and shape.mesh is None:
                actor.prop.color = look.STEPPING if shape.link in highlighted else color
        self._highlighted = highlighted

    def aim(self, frame: int) -> None:
        """Place the camera for a frame of its track."""
        size, camera = self.framing.size, self._plotter.camera
        position, focus = self.track.position[frame] / size, self.track.target[frame] / size
        self._distance = max(float(np.linalg.norm(position - focus)), MIN_DISTANCE)
        self._field_of_view = float(self.track.field_of_view[frame])
        camera.focal_point, camera.position = focus, position
        camera.up, camera.view_angle = self.track.up(frame, self.framing.heading), self._field_of_view
        scale = float(np.ceil(self._distance / MAX_DISTANCE))  # of the floor, for a camera far away
        camera.clipping_range = (0.1 * self._distance, 4.0 * FLOOR_HALF_WIDTH * scale)
        cell = scale * self._grid_spacing / size
        floor_pose = np.diag([scale, scale, 1.0, 1.0])
        floor_pose[:2, 3] = np.rint(focus[:2] / cell) * cell  # by whole cells, so that the grid seems not to move
        for matrix in self._floor_matrices:
            matrix.DeepCopy(floor_pose.ravel().tolist())
        self._shade_floor(float((position - focus)[2]) / self._distance, frame)
        self._sort_transparent(position)

    def _sort_transparent(self, eye: Array) -> None:
        """Let transparent shapes be drawn from back to front, so that each is blended over those behind it."""
        distances = [float(np.linalg.norm(np.array(actor.GetCenter()) - eye)) for actor in self._transparent]
        for k in np.argsort(distances)[::-1].tolist() if len(distances) > 1 else ():
            self._plotter.renderer.RemoveActor(self._transparent[k])
            self._plotter.renderer.AddActor(self._transparent[k])

    def _shade_floor(self, slope: float, frame: int) -> None:
        """Set the colours of the floor and its grid, which are the same everywhere under light from far away.

        They are computed once for the frame, and not by OpenGL for every pixel. slope: sine of the camera's elevation.
        """
        sun = self._sun_direction(frame)
        light = SUN_LIGHT * float(sun[2] / np.linalg.norm(sun)) + HEADLIGHT * max(slope, 0.0)
        for actor, color in zip(self._floor_actors, (look.GROUND, look.GRID), strict=False):
            rgb = np.array(self._pv.Color(color).float_rgb) * (FLOOR_AMBIENT + FLOOR_DIFFUSE * light)
            actor.GetProperty().SetColor(*np.minimum(rgb, 1.0).tolist())

    def caption(self, text: str) -> None:
        """Set the caption in the lower left corner of the picture."""
        if self._caption is None:
            scale = self._height / CAPTION_HEIGHT
            position, points = (18.0 * scale, 14.0 * scale), max(MIN_POINTS, round(11 * scale))
            self._caption = self._plotter.add_text(
                text, position=position, font_size=points, color=look.INK, render=False
            )
        self._caption.SetInput(text)

    def screenshot(self) -> Image:
        """Return the rendered picture (height, width, 3)."""
        with quiet_vtk():
            self._plotter.render()  # a screenshot alone may return the previous picture
            image: Image = self._plotter.screenshot(return_img=True)
        return image[..., :3]

    def pixels_per_metre(self, height: int) -> float:
        """Return pixels per metre at the focus in a picture of this height [pixels]."""
        return float(
            height / (2.0 * np.tan(np.radians(self._field_of_view / 2.0)) * self._distance * self.framing.size)
        )

    def _sun_direction(self, frame: int) -> Array:
        """Return the direction towards the sun in a frame: from the signal "light", or on the figure's right."""
        if self._light is not None:
            return self._light[frame]
        ahead = self.framing.heading
        return look.SUN[0] * ahead + look.SUN[1] * np.cross(UP, ahead) + look.SUN[2] * UP

    def _add(self, mesh: Mesh, color: str | None, **options: Any) -> tuple[Any, Any]:
        """Add a mesh [m] to the scene; return its data and its actor. color: None if given per corner."""
        faces = np.arange(len(mesh.corners)).reshape(-1, 3)
        data = self._pv.PolyData.from_regular_faces(mesh.corners / self.framing.size, faces)
        if len(mesh.normals):
            data.point_data.active_normals = mesh.normals
        if mesh.uv is not None:
            data.point_data.active_texture_coordinates = mesh.uv
        settings = look.phong(PLAIN_FINISH) | options
        actor = self._plotter.add_mesh(data, color=color, smooth_shading=bool(len(mesh.normals)), **settings)
        return data, actor

    def _movable(self, actor: Any) -> Any:
        """Return a matrix (vtkMatrix4x4) that moves an actor, and is changed in place for each frame."""
        matrix: Any = import_module("vtkmodules.vtkCommonMath").vtkMatrix4x4()
        actor.SetUserMatrix(matrix)
        return matrix

    def _add_shape(self, shape: FilmShape, color: str) -> Any:
        """Add a shape in its colour, with its texture, opacity and finish; return its actor."""
        options: dict[str, Any] = look.phong(shape.finish)
        if shape.opacity < 1.0:
            options["opacity"] = shape.opacity
        if shape.texture is not None:
            if shape.texture not in self._textures:
                self._textures[shape.texture] = self._pv.Texture(image_pixels(shape.texture, MAX_TEXTURE))
                self._textures[shape.texture].repeat = True
            options["texture"] = self._textures[shape.texture]
        actor = self._add(shape_mesh(shape), color, **options)[1]
        if shape.texture is not None and not _is_transparent(shape):
            actor.ForceOpaqueOn()  # pixels that are invisible are cut out, in any order of triangles
        if shape.finish.emission is not None:
            actor.prop.ambient, actor.prop.ambient_color = 1.0, look.ambient_rgb(color, shape.finish.emission)
        return actor

    def _add_shadow(self) -> Any:
        """Add the shadow; return its data."""
        mesh = Mesh(self._shadow.corners(0, self._sun_direction(0)), np.empty((0, 3)))
        color = look.SHADOW if self._floor_matrices else look.SHADOW_ON_HILLS
        return self._add(mesh, color, lighting=False)[0]

    def _add_ground(self) -> list[Any]:
        """Add the ground; return the actors that aim() moves with the figure: a floor and its grid; none for hills."""
        matte: dict[str, Any] = {"lighting": False, "ambient": 1.0, "diffuse": 0.0, "specular": 0.0}
        level = level_of(self.film.ground)
        if level is None:
            self._add_hills(ground_mesh(near_path(self.film.ground, self.framing, FLOOR_HALF_WIDTH)))
            return []
        half_width = FLOOR_HALF_WIDTH * self.framing.size
        floor = Mesh(_ribbon(-half_width, half_width, -half_width, half_width, level), np.tile(UP, (6, 1)))
        grid = self._grid_mesh(half_width / 2.0, level + LIFT * self.framing.size)
        return [self._add(floor, look.GROUND, **matte)[1], self._add(grid, look.GRID, **matte)[1]]

    def _add_hills(self, hills: Mesh) -> None:
        """Add uneven ground, coloured by height, with contour lines."""
        z = hills.corners[:, 2]
        low, high = float(z.min()), float(z.max())
        valley, peak = (np.array(self._pv.Color(color).int_rgb) for color in (look.VALLEY, look.PEAK))
        colors = valley + (peak - valley) * ((z - low) / (high - low))[:, None]
        matte: dict[str, Any] = {"specular": 0.0}  # less ambient light than on a floor, since shading shows the slope
        data, _ = self._add(hills, None, scalars=colors.astype(np.uint8), rgb=True, **matte)
        levels = [level / self.framing.size for level in look.contour_levels(low, high)]
        lines = data.contour(levels, scalars=data.points[:, 2]).translate(LIFT * UP)
        if lines.n_points:
            self._plotter.add_mesh(lines, color=look.CONTOUR, line_width=1.5, lighting=False)

    def _grid_mesh(self, half_width: float, z: float) -> Mesh:
        """Return a grid of ribbons at height z [m], with a round spacing."""
        spacing, half_thickness = self._grid_spacing, 0.003 * self.framing.size
        ticks = spacing * np.arange(-int(half_width / spacing), int(half_width / spacing) + 1)
        ribbons = [_ribbon(-half_width, half_width, t - half_thickness, t + half_thickness, z) for t in ticks]
        ribbons += [_ribbon(t - half_thickness, t + half_thickness, -half_width, half_width, z) for t in ticks]
        corners = np.concatenate(ribbons)
        return Mesh(corners, np.tile(UP, (len(corners), 1)))

    def _add_lights(self) -> None:
        """Add a warm sun and a cool fill light at the camera."""
        sun = self._pv.Light(light_type="scene light", color=SUN_LIGHT.tolist(), positional=False)
        sun.position, sun.focal_point = 10.0 * self._sun_direction(0), (0.0, 0.0, 0.0)
        self._plotter.add_light(sun)
        self._sun: Any = sun
        self._plotter.add_light(self._pv.Light(light_type="headlight", color=HEADLIGHT.tolist()))


def _is_transparent(shape: FilmShape) -> bool:
    return shape.opacity < 1.0 or (shape.texture is not None and transparency_of(shape.texture) == "blend")


def _ribbon(x0: float, x1: float, y0: float, y1: float, z: float) -> Array:
    """Return the corners (6, 3) of two triangles that cover a rectangle at height z."""
    return np.array([[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y0, z], [x1, y1, z], [x0, y1, z]])
