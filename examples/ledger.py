"""The energy ledger: unaccounted energy is under 1 % of the motors' work, and decreases with the tolerance."""

import gambol


def main() -> None:
    creature = gambol.roach()
    unaccounted: list[float] = []
    for tolerance in (1e-2, 1e-3, 1e-4):
        world = gambol.make_world(creature, tolerance=tolerance)
        film = gambol.run(world, gambol.start(world), seconds=0.6)
        last = {name: signal[-1, 0] for name, signal in film.signals.items() if signal.ndim == 2}
        unaccounted.append(abs(last["unaccounted"] / last["motors"]))
        work, heat, hit, slid = (1e6 * last[name] for name in ("motors", "damping", "impact", "sliding"))
        print(
            f"tolerance {tolerance:g}: motors {work:.0f} uJ; dampers dissipated {heat:.0f}, impact {hit:.0f}, "
            f"sliding {slid:.0f}; unaccounted {100 * unaccounted[-1]:.4f} %"
        )
    assert unaccounted[1] < 0.01, "the ledger does not balance at the default tolerance"
    assert unaccounted[0] > unaccounted[1] > unaccounted[2], "a smaller tolerance does not help"


if __name__ == "__main__":
    main()
