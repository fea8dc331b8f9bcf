"""Whole Jacobians and Hessians that have structure."""
