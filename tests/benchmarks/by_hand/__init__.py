"""The workloads as one writes them in JAX: flat lists of arrays, no msgrad.

Each module has ``params(weights)``, which puts the MindSpore network's arrays, by name, into the
form that JAX code uses, and ``loss(params, stats, x, y)``, which gives the loss and the statistics
after it (none but for BatchNorm); ``training.py`` makes the step of them.
"""
