"""The workloads as MindSpore programs: they import ``mindspore``, whichever library that is.

Each module has ``make(**options)``, which gives a network and a function from a batch ``x, y`` to
its loss; ``training.py`` makes the step of them. What is timed is this code, unchanged.
"""
