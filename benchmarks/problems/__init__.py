"""The problems, each in a file of its own."""

from __future__ import annotations

from benchmarks.problem import Problem
from benchmarks.problems import gmm, heat, logistic_regression, mlp, rk4, rosenbrock

__all__ = ["PROBLEMS"]

MODULES = (rosenbrock, logistic_regression, mlp, gmm, rk4, heat)
PROBLEMS: dict[str, Problem] = {
    problem.name: problem for module in MODULES for problem in module.PROBLEMS
}
