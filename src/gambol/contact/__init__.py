"""What touching does: soft ground, impulses, complementarity, large steps; and attachments that break."""

from gambol.contact.attach import Attachment, attach_pull
from gambol.contact.penalty import (
    Anchor,
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
    "Felt",
    "GroundTouch",
    "HuntCrossley",
    "Stick",
    "Touch",
    "attach_pull",
    "checked_stick",
    "checked_touch",
    "total_felt",
]
