"""``mindspore.communication``: the groups of processes, of which there is one with one process."""

from msgrad._core.missing import missing_names
from msgrad.communication import management
from msgrad.communication._comm_helper import GlobalComm
from msgrad.communication.management import *  # noqa: F403

__all__ = ["GlobalComm", *management.__all__]

__getattr__ = missing_names(__name__)
