"""Differentials of order statistics, covariances and sampled curves."""
