"""``mindspore.train.callback``: callbacks. This file only re-exports."""

from msgrad._core.exports import public_names
from msgrad._core.missing import missing_names
from msgrad.train.callback._callback import *  # noqa: F403
from msgrad.train.callback._callback import CallbackManager as _CallbackManager  # noqa: F401
from msgrad.train.callback._callback import InternalCallbackParam as _InternalCallbackParam  # noqa: F401
from msgrad.train.callback._callback import set_cur_net as _set_cur_net  # noqa: F401
from msgrad.train.callback._checkpoint import *  # noqa: F403
from msgrad.train.callback._functions import *  # noqa: F403
from msgrad.train.callback._interruption import *  # noqa: F403
from msgrad.train.callback._left_out import *  # noqa: F403
from msgrad.train.callback._monitored import *  # noqa: F403
from msgrad.train.callback._progress_bar import *  # noqa: F403
from msgrad.train.callback._resuming import *  # noqa: F403
from msgrad.train.callback._showing import *  # noqa: F403
from msgrad.train.callback._summary_collector import *  # noqa: F403

__all__ = public_names(globals(), "_CallbackManager", "_InternalCallbackParam")

__getattr__ = missing_names(__name__)
