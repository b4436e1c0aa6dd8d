"""Public MindSpore repositories, run unmodified under msgrad and under the real MindSpore."""
