"""MindSpore's import path of the functions that compute, which lie in several files here."""

from msgrad.numpy.elementwise import *  # noqa: F403
from msgrad.numpy.products import *  # noqa: F403
from msgrad.numpy.reductions import *  # noqa: F403
from msgrad.numpy.statistics import *  # noqa: F403
