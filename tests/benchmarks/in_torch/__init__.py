"""The workloads as one writes them in PyTorch, eager; they need an interpreter that has it.

Each module has ``make(**options)``, which gives a network whose parts have the names of the
MindSpore program's, and a function from a batch ``x, y`` to its loss; ``training.py`` makes the
step of them.
"""
