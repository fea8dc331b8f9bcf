"""Helpers of layers of networks."""
