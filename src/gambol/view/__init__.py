"""Display of films: pages that play a motion, pictures, stepping patterns and videos."""

from gambol.view.collision_flow import write_collision_flow
from gambol.view.effort import write_effort_picture
from gambol.view.gait_diagram import write_gait_diagram
from gambol.view.gallery import GalleryEntry, write_gallery
from gambol.view.live import write_live_page
from gambol.view.opengl import RenderWarning
from gambol.view.oscillators import write_oscillator_picture
from gambol.view.page import write_page
from gambol.view.pattern import write_pattern
from gambol.view.picture import write_picture
from gambol.view.pile_film import pile_film
from gambol.view.plot import write_graph, write_plot
from gambol.view.served import LiveView, show
from gambol.view.still import posture_film, with_floor, write_still
from gambol.view.video import write_video

__all__ = [
    "GalleryEntry",
    "LiveView",
    "RenderWarning",
    "pile_film",
    "posture_film",
    "show",
    "with_floor",
    "write_collision_flow",
    "write_effort_picture",
    "write_gait_diagram",
    "write_gallery",
    "write_graph",
    "write_live_page",
    "write_oscillator_picture",
    "write_page",
    "write_pattern",
    "write_picture",
    "write_plot",
    "write_still",
    "write_video",
]
