"""Profilers and anomaly mode."""
