"""How a function becomes one compiled program, and how a call runs it; not public."""
