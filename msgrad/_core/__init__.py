"""The bridge between MindSpore's mutable objects and JAX's pure functions; nothing here is public."""
