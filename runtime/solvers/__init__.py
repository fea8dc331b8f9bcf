"""Values defined by equations, and linear solvers known by their products."""
