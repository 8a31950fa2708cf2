"""Videos of films: takes rendered beside or after each other, and encoded as H.264."""

from gambol.view.video.writing import render_video, write_video

__all__ = ["render_video", "write_video"]
