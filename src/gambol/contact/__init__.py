"""What touching does: penalty ground, friction, sticky feet, and attachments that break."""

from gambol.contact.anchor import Anchor
from gambol.contact.attach import Attachment, attach_pull
from gambol.contact.law import Stick, Touch, checked_stick, checked_touch
from gambol.contact.patch import Felt, GroundTouch, total_felt

__all__ = [
    "Anchor",
    "Attachment",
    "Felt",
    "GroundTouch",
    "Stick",
    "Touch",
    "attach_pull",
    "checked_stick",
    "checked_touch",
    "total_felt",
]
