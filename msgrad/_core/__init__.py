"""The bridge between MindSpore's mutable objects and JAX's pure functions; not public."""
