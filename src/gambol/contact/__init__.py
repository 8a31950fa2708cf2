"""What touching does: soft ground, impulses, complementarity, large steps; attachments that break; drag of a medium."""

from gambol.contact.attach import Attachment, attach_pull
from gambol.contact.medium import DragBox, Medium
from gambol.contact.penalty import (
    Anchor,
    Bristle,
    Felt,
    GroundTouch,
    HuntCrossley,
    Stick,
    Touch,
    checked_stick,
    checked_touch,
    total_felt,
)

__all__ = [
    "Anchor",
    "Attachment",
    "Bristle",
    "DragBox",
    "Felt",
    "GroundTouch",
    "HuntCrossley",
    "Medium",
    "Stick",
    "Touch",
    "attach_pull",
    "checked_stick",
    "checked_touch",
    "total_felt",
]
