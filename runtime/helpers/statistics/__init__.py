"""Helpers of covariances, quantiles and counts."""
