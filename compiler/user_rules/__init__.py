"""Derivatives the user defines or calls: custom gradients, implicit functions, solvers, rules."""
