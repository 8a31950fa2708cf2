"""The elements of URDF, the extensions of other programs, and errors for all others."""

from collections.abc import Collection
from typing import Final

from gambol.errors import GambolError, did_you_mean
from gambol.formats.xml_file import Element

ALLOWED_CHILDREN: Final[dict[str, tuple[str, ...]]] = {
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
"""The tags allowed in each element; elements that are not listed may contain any tags."""

EXTENSIONS: Final[dict[str, str]] = {
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
"""Extensions of other programs, which are left out, and the description of each for a note."""


def check_elements(robot: Element, leave_out: Collection[str]) -> tuple[str, ...]:
    """Return notes on the elements that are left out.

    robot: the root element. leave_out: unknown tags to leave out without an error. Tags with a namespace, such as
    "a:b", are left out too. Raises GambolError for other unknown elements, and for elements of xacro.
    """
    counts: dict[str, int] = {}
    stack = [robot]
    while stack:
        element = stack.pop()
        for child in element.children:
            if child.tag in ALLOWED_CHILDREN[element.tag]:
                stack.extend([child] if child.tag in ALLOWED_CHILDREN else [])
            else:
                description = _description(child, element, leave_out)
                counts[description] = counts.get(description, 0) + 1
    return tuple(
        f"Left out: {description}{f' ({count} elements)' if count > 1 else ''}."
        for description, count in counts.items()
    )


def _description(child: Element, parent: Element, leave_out: Collection[str]) -> str:
    """Return the description of an element that gambol leaves out. Raises GambolError for an unknown element."""
    if child.tag.startswith("xacro:"):
        raise GambolError(f"{child.where}: <{child.tag}> is for the program xacro; run it, and read its output file")
    if child.tag in leave_out or ":" in child.tag:
        return f"<{child.tag}>"
    if child.tag in EXTENSIONS:
        return f"{EXTENSIONS[child.tag]} <{child.tag}>"
    hint = did_you_mean(child.tag, ALLOWED_CHILDREN[parent.tag])
    raise GambolError(
        f"{child.where}: <{child.tag}> is not known inside <{parent.tag}>; {hint} "
        f"(leave_out=['{child.tag}'] reads the file without it)"
    )
