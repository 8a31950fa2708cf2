"""gambol.show: opens a view of a world of the running program."""

import sys
import webbrowser
from typing import Any

from numpy.typing import NDArray

from gambol.view.served.live_view import LiveView
from gambol.view.served.simulation import Simulation
from gambol.world import ControlFunction, State, World, start


def show(
    world: World,
    state: State | None = None,
    *,
    numbers: NDArray[Any] | None = None,
    control: ControlFunction | None = None,
    control_rate: float | None = None,
    speed: float | None = None,
    open_page: bool | None = None,
    port: int = 0,
) -> LiveView:
    """Open a live view of a world, whose state is in the running program, and return it, paused.

    world: the world. state: its first state, of one world, which the view changes in place (None: the result of
    start()). numbers: inputs of the world, (rows, 1), see Engine.numbers(). control, control_rate: a function that
    commands the actuators, as in run(). speed: speed of LiveView.play() in multiples of real time (None: from the
    figure's size). open_page: True to open the page in a browser, False to print its address (None: opened, except in a
    notebook, which shows the view itself); without a browser the address is printed. port: port of the server on this
    machine; 0: any free port. Raises GambolError as LiveView and Simulation do.
    """
    first = start(world) if state is None else State(world, state.rows)
    view = LiveView(Simulation(first, numbers, control, control_rate), speed, port)
    is_notebook = "ipykernel" in sys.modules
    opens = not is_notebook if open_page is None else open_page
    if not (opens and opened(view.address)) and not (is_notebook and open_page is None):
        print(f"{world.figure.name}: open {view.address}", flush=True)  # noqa: T201
    return view


def opened(address: str) -> bool:
    """Open an address in a browser with windows; return False if there is none."""
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    return type(browser) is not webbrowser.GenericBrowser and browser.open(address)  # it would use the terminal
