"""Differentials of ``scipy.special``."""
