"""Which elements a URDF has, which ones other programs add, and what becomes of those that are neither."""

from collections.abc import Collection
from typing import Final

from gambol.errors import GambolError, did_you_mean
from gambol.formats.markup import Element

INSIDE: Final[dict[str, tuple[str, ...]]] = {
    "robot": ("link", "joint", "material", "transmission"),
    "link": ("inertial", "visual", "collision"),
    "inertial": ("origin", "mass", "inertia"),
    "visual": ("origin", "geometry", "material"),
    "collision": ("origin", "geometry", "material"),
    "geometry": ("box", "cylinder", "sphere", "capsule", "mesh"),
    "joint": (
        "origin", "parent", "child", "axis", "limit", "dynamics", "mimic", "safety_controller", "calibration",
    ),
}  # fmt: skip
"""What each element may hold; elements that are not listed hold what they like."""

ADDED: Final[dict[str, str]] = {
    "gazebo": "settings for Gazebo",
    "sensor": "sensors",
    "ros2_control": "settings for ROS controllers",
    "mujoco": "settings for MuJoCo",
    "contact": "friction and softness of contacts",
    "surface": "friction and softness of contacts",
    "gravity": "settings for Gazebo",
    "kinematic": "settings for Gazebo",
    "verbose": "collision settings",
    "self_filter": "collision settings",
    "collision_checking": "collision settings",
    "self_collision_checking": "collision settings",
}
"""What other programs add, and what it is: left out with a note."""


def check_elements(robot: Element, leave_out: Collection[str]) -> tuple[str, ...]:
    """Notes on the elements that are left out; GambolError for one that no program is known to add.

    leave_out: tags to leave out all the same.
    """
    left: dict[str, int] = {}
    waiting = [robot]
    while waiting:
        element = waiting.pop()
        for child in element.children:
            if child.tag in INSIDE[element.tag]:
                waiting.extend([child] if child.tag in INSIDE else [])
            else:
                what = _left_out(child, element, leave_out)
                left[what] = left.get(what, 0) + 1
    return tuple(f"Left out: {what}{f' ({count} elements)' if count > 1 else ''}." for what, count in left.items())


def _left_out(child: Element, parent: Element, leave_out: Collection[str]) -> str:
    """What an element is that gambol does not take; GambolError where nobody knows."""
    if child.tag.startswith("xacro:"):
        raise GambolError(f"{child.where}: <{child.tag}> is for the program xacro; run it, and give the file it makes")
    if child.tag in leave_out or ":" in child.tag:
        return f"<{child.tag}>"
    if child.tag in ADDED:
        return f"{ADDED[child.tag]} <{child.tag}>"
    cure = did_you_mean(child.tag, INSIDE[parent.tag])
    raise GambolError(
        f"{child.where}: <{child.tag}> is not known inside <{parent.tag}>; {cure} "
        f"(leave_out=['{child.tag}'] reads the file without it)"
    )
