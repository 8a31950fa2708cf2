"""A figure with joints of several kinds, for exports."""

from gambol.figure import Box, Capsule, Figure, Joint, Link, Part, Sphere

FIGURE = Figure(
    "beast",
    (
        Link("trunk", None, Joint("free"), (Part(Box((0.4, 0.2, 0.1))),)),
        Link(
            "left thigh",
            "trunk",
            Joint("revolute", (0.0, 1.0, 0.0), position=(0.2, 0.1, -0.05)),
            (Part(Capsule(0.03, 0.2), (0.0, 0.0, -0.1)),),
        ),
        Link(
            "left foot",
            "left thigh",
            Joint("prismatic", (0.0, 0.0, -1.0), position=(0.0, 0.0, -0.2)),
            (Part(Sphere(0.04)),),
        ),
        Link(
            "head",
            "trunk",
            Joint(
                "spherical", position=(0.25, 0.0, 0.05), rotation=((0.0, -1.0, 0.0), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))
            ),
            (Part(Sphere(0.08), (0.05, 0.0, 0.0)),),
        ),
    ),
)
