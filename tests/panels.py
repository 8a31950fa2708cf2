"""A square panel with a texture of four colours, which faces the camera of pictures and pages, as files and figures."""

import numpy as np

from gambol.figure import Figure, Joint, Link, MassProperties, Material, Visual, VisualMesh
from gambol.formats.visuals import png_texture, submesh_of
from gambol.view.camera.placed import AZIMUTH

RED, GREEN, BLUE, WHITE = (230, 20, 20), (20, 200, 20), (30, 30, 230), (250, 250, 250)
RIGHT = np.array([-np.sin(np.radians(AZIMUTH)), np.cos(np.radians(AZIMUTH)), 0.0])  # in the picture
UP = np.array([0.0, 0.0, 1.0])
CORNERS = np.array([[0, 1, 2], [0, 2, 3]])
UV = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])


def image(edge=64):
    """Pixels (edge, edge, 3): red above left, green above right, blue below left, white below right."""
    pixels = np.empty((edge, edge, 3), np.uint8)
    half = edge // 2
    pixels[:half, :half], pixels[:half, half:], pixels[half:, :half], pixels[half:, half:] = RED, GREEN, BLUE, WHITE
    return pixels


def points(edge=1.0):
    return np.stack([edge * ((u - 0.5) * RIGHT + v * UP) for u, v in UV])


def panel(opacity=1.0, color=None, texture=True):
    """A visual mesh of two triangles."""
    material = Material(color, opacity, png_texture("panel.png", image()) if texture else None)
    return VisualMesh((submesh_of(points(), CORNERS, None, UV[CORNERS.reshape(-1)], material),))


def panel_figure(*visuals, parts=()):
    mass = MassProperties(1.0, inertia=((1, 0, 0), (0, 1, 0), (0, 0, 1)))
    return Figure("panel", (Link("panel", None, Joint("free"), parts, mass, visuals),))


def panel_visual(**options):
    return Visual(panel(**options))


def where(picture, color):
    """The mean place (row, column) of the pixels whose strongest channel is that of a colour, and their number."""
    picture = picture.astype(float)
    channel = int(np.argmax(color))
    others = np.delete(picture, channel, axis=-1).max(axis=-1)
    rows, columns = np.nonzero(picture[..., channel] > others + 60.0)
    return np.array([rows.mean(), columns.mean()]) if len(rows) else np.full(2, np.nan), len(rows)
