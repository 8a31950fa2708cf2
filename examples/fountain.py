"""A fountain: drops rise, fall and splash; they carry no more energy than they were born with, and stay together."""

from pathlib import Path

import numpy as np

from gambol.matter.particles import Emitter, Look, ParticleStepper, ParticleSystem, PointSource, Spread, run_particles
from gambol.view.page import write_page

WATER = Look(colors=((0.0, (0.35, 0.55, 0.85, 0.9)), (1.0, (0.60, 0.75, 0.95, 0.3))))
SPEED, LEAN = 4.0, 0.15  # of the jet [m/s], half angle of its cone [rad]
JET = Emitter(
    PointSource((0.0, 0.0, 0.05)), rate=1500.0, cone=LEAN, speed=Spread(SPEED, 0.3), lifetime=Spread(3.0),
    radius=Spread(0.008, 0.003), look=WATER, on_touch="die", children_at_touch=("splash", 3),
)  # fmt: skip
SPLASH = Emitter(speed=Spread(0.7, 0.4), cone=0.9, lifetime=Spread(0.3, 0.1), radius=Spread(0.004, 0.001), look=WATER)


def main() -> None:
    system = ParticleSystem({"jet": JET, "splash": SPLASH})
    film, state = run_particles(system, 2.0, name="fountain")
    jet, splash = film.matter
    ledger, stepper = state.ledger, ParticleStepper(system)
    top, highest = float(jet.points[:, 2].max()), 0.05 + (SPEED + 0.3) ** 2 / (2.0 * 9.81)
    reach = float(np.hypot(jet.points[:, 0], jet.points[:, 1]).max())
    furthest = 2.0 * (SPEED + 0.3) ** 2 * np.sin(LEAN) * np.cos(LEAN) / 9.81 + 0.05
    print(f"{state.born} drops, up to {top:.3f} m high (a parabola: {highest:.3f}), up to {reach:.2f} m away")
    print(f"energy: born {ledger.born:.2f} J, died {ledger.dead:.2f} J, lost at touches {ledger.touch:.2f} J")
    assert 0.97 * highest < top <= highest, "drops rise as high as parabolas"
    assert reach <= furthest, "drops land further away than parabolas do"
    assert len(splash.points) > 0, "nothing splashed"
    assert abs(stepper.energy(state) - ledger.expected) < 0.01 * ledger.born, "the ledger does not balance"
    out = Path("out")
    out.mkdir(exist_ok=True)
    write_page(film, out / "fountain.html")


if __name__ == "__main__":
    main()
