"""Tests of msgrad; the folders mirror the package."""
