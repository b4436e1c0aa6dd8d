"""What programs import from inside MindSpore and msgrad itself has no use for.

Each module here stands behind a row of ``_core/path_tables.py``; none is loaded before that.
"""
