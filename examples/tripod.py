"""The tripod gait on level ground, on sliding and on sticky feet: fast, straight, belly clear, one sway per stride."""

import gambol

MIN_SPEED = {"sliding": 5.5, "sticky": 8.0}  # the speeds of McKenna's hexapod [cm/s]


def main() -> None:
    creature = gambol.roach()
    for feet, least in MIN_SPEED.items():
        world = gambol.make_world(creature, feet=feet)
        film = gambol.run(world, gambol.start(world), seconds=1.1)
        (walk,) = gambol.measure(film, world)
        print(
            f"{feet}: {walk.speed_cm_per_s:.1f} cm/s, heading drift {walk.heading_drift_deg_per_s:.1f} deg/s, "
            f"sway {walk.sway_mm:.1f} mm {walk.sway_per_stride:g} times a stride, "
            f"belly {walk.belly_clearance_mm:.1f} mm clear"
        )
        assert walk.speed_cm_per_s >= least, "slower than in 1990"
        assert abs(walk.heading_drift_deg_per_s) < 10.0, "it does not walk straight"
        assert walk.belly_clearance_mm > 0.0, "the belly touched"
        assert walk.sway_per_stride == 1.0, "insects sway from side to side once per stride"


if __name__ == "__main__":
    main()
