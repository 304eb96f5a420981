"""Measurements, each against a named alternative in one run. `make bench` writes results.md."""
