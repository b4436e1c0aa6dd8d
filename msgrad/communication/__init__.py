"""``mindspore.communication``: the groups of processes, of which there is one with one process."""

from msgrad._core.left_out import refused
from msgrad._core.missing import missing_names
from msgrad.communication import management
from msgrad.communication._comm_helper import GlobalComm
from msgrad.communication.management import *  # noqa: F403

get_comm_name = refused(__name__, "get_comm_name", "2.10 has it on Ascend only")

__all__ = ["GlobalComm", "get_comm_name", *management.__all__]

__getattr__ = missing_names(__name__)
