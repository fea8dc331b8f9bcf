"""Derivatives the user defines: custom gradients, implicit functions, solvers, rules."""
