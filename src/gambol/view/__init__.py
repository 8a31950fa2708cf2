"""Looking at motion: a page to play it in, stills and stepping patterns, and videos. Reads films; writes no physics."""

from gambol.view.opengl import RenderWarning
from gambol.view.page import write_page
from gambol.view.pattern import write_pattern
from gambol.view.picture import write_picture
from gambol.view.still import above_floor, posed, write_still
from gambol.view.video import write_video

__all__ = [
    "RenderWarning",
    "above_floor",
    "posed",
    "write_page",
    "write_pattern",
    "write_picture",
    "write_still",
    "write_video",
]
