"""A page that simulates a world: it contains the world's programs, and computes its motion itself."""

from gambol.view.live.number_file import changed_inputs, read_number_file
from gambol.view.live.page import step_operations, write_live_page
from gambol.view.live.segments import LiveSegment

__all__ = ["LiveSegment", "changed_inputs", "read_number_file", "step_operations", "write_live_page"]
