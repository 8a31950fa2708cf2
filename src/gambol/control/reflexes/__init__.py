"""Reflexes: delayed feedback of any signal to any command of an actuator, as rows of one table."""

from gambol.control.reflexes.kinds import ClaspKnife, DelayedFeedback, StretchReflex, TendonOrgan, Withdrawal
from gambol.control.reflexes.law import ReflexLaw, with_reflexes
from gambol.control.reflexes.reflex import Afferent, Reflex, Signal
from gambol.control.reflexes.table import REFLEXES, add_reflex

__all__ = [
    "REFLEXES",
    "Afferent",
    "ClaspKnife",
    "DelayedFeedback",
    "Reflex",
    "ReflexLaw",
    "Signal",
    "StretchReflex",
    "TendonOrgan",
    "Withdrawal",
    "add_reflex",
    "with_reflexes",
]
