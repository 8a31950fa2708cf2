"""At every speed the roach follows Wilson's rules: phases and duty factors within 0.03 of the table."""

import gambol

TABLE = {2.0: 0.5, 2.5: 0.4, 3.0: 1.0 / 3.0, 4.0: 0.25, 6.0: 1.0 / 6.0}  # cycle over step time: lag to the leg in front


def main() -> None:
    creature = gambol.roach()
    for cycle, lag in TABLE.items():
        speed = cycle / 2.0
        world = gambol.make_world(creature, speed=speed)
        film = gambol.run(world, gambol.start(world), seconds=0.1 + 0.1 * speed * 3.5)
        (walk,) = gambol.measure(film, world)
        worst = 0.0
        for leg in creature.legs:
            behind = lag * (2 - leg.rank)
            expected = (behind + (0.5 if leg.side == "right" else 0.0)) % 1.0
            off = abs(walk.phase[leg.name] - expected)
            worst = max(worst, min(off, 1.0 - off), abs(walk.duty_factor[leg.name] - (1.0 - 1.0 / cycle)))
        print(f"cycle of {cycle:g} step times: {walk.speed_cm_per_s:5.2f} cm/s, worst phase or duty off by {worst:.4f}")
        assert worst < 0.03, "Wilson's rules are broken"


if __name__ == "__main__":
    main()
