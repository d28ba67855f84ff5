"""pytest fixtures for playmoney, a local stand-in for the payFURL API: one world for each test."""

from .call import SandboxError
from .receiver import Message, Receiver
from .server import Server
from .sweep import Sweep, SweepContext, SweepError, SweepReport
from .world import Clock, Deliveries, Journal, Outcomes, Response, Scenario, World

__all__ = [
    "Clock",
    "Deliveries",
    "Journal",
    "Message",
    "Outcomes",
    "Receiver",
    "Response",
    "SandboxError",
    "Scenario",
    "Server",
    "Sweep",
    "SweepContext",
    "SweepError",
    "SweepReport",
    "World",
]
