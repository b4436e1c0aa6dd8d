"""One module per family of cases, against the MindSpore API; how: see ``tests.parity.case``."""
