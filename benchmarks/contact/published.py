"""Published speeds of steps with contact on graphics processors, and how many of our cores are as fast.

Sources: the table of mujoco-torch (README, 2026: MJX and mujoco-torch, float64, best of 1 to 131,072 worlds) and the
benchmark of MuJoCo Warp. Each steps the file that comes with it, at the file's own step; walker2d and hopper by a
method of fourth order, whose steps cost about three times as much.
"""

from dataclasses import dataclass

from gambol.lanes import Precision


@dataclass(frozen=True)
class Published:
    """A published speed. steps_per_s: steps of all worlds together [1/s]."""

    engine: str
    card: str
    precision: Precision
    steps_per_s: float

    def cores(self, ns_per_step: float) -> float:
        """Return the number of cores as fast as the card; ns_per_step: of one world on one core [ns]."""
        return self.steps_per_s * ns_per_step * 1e-9


H200, RTX = "H200", "RTX Pro 6000"

PUBLISHED: dict[str, tuple[Published, ...]] = {
    "humanoid": (
        Published("MuJoCo Warp", RTX, "float32", 3.97e6),
        Published("MJX", H200, "float64", 3.03e6),
        Published("mujoco-torch", H200, "float64", 2.49e6),
    ),
    "ant": (Published("MJX", H200, "float64", 0.825e6), Published("mujoco-torch", H200, "float64", 1.64e6)),
    "half-cheetah": (Published("MJX", H200, "float64", 2.97e6), Published("mujoco-torch", H200, "float64", 4.48e6)),
    "walker2d": (Published("MJX", H200, "float64", 0.308e6), Published("mujoco-torch", H200, "float64", 0.538e6)),
    "hopper": (Published("MJX", H200, "float64", 2.70e6), Published("mujoco-torch", H200, "float64", 4.89e6)),
}
"""Speeds by scene; none was found for Go2."""


def equivalent_cores(scene: str, precision: Precision, ns_per_step: float) -> dict[str, float]:
    """Return the number of our cores as fast as each published card, by name; float32 here if it is at most that there.

    A row in float32 is compared with all cards; one in float64 with those in float64. ns_per_step: our time [ns].
    """
    compared = (x for x in PUBLISHED.get(scene, ()) if precision == "float32" or x.precision == "float64")
    return {f"cores per {x.card}, {x.engine}, {x.precision}": x.cores(ns_per_step) for x in compared}
