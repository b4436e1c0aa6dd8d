"""Cases recorded from the real MindSpore, and the tests that hold msgrad to them."""
