"""Differentials of ``scipy.stats``."""
