"""The servos of the dog's joints."""

from gambol.actuation import Servo

TURN = 6.3  # rad, range of targets: a whole turn, since targets also carry torques


def _servo(stiffness: float, damping: float, strength: float) -> Servo:
    return Servo(-TURN, TURN, stiffness, damping, strength)


SERVOS = (_servo(300.0, 8.0, 120.0), _servo(400.0, 8.0, 150.0), _servo(300.0, 4.0, 150.0), _servo(150.0, 1.2, 120.0))
"""Servos of a leg, from the abduction down: damping is near critical for the leg below; strength is 2.5 times the
torque needed in a gallop. Not from the source.
"""

OTHERS = (_servo(120.0, 6.0, 60.0), _servo(40.0, 1.2, 20.0), _servo(4.0, 0.15, 3.0), _servo(1.0, 0.03, 1.0))
"""Servos of neck, head, tail and tail tip. Not from the source."""
