"""Jacobians and Hessians, dense and sparse."""
