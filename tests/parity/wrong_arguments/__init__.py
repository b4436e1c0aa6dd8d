"""Calls with wrong arguments: what MindSpore raises for each, and that msgrad raises the same."""
