"""Whole tables of programs, to be run by hand: ``python -m tests.sweeps.NAME``; tests run a part of each."""
