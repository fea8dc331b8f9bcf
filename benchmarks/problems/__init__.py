"""The problems, each in a file of its own."""

from __future__ import annotations

from benchmarks.problem import Problem
from benchmarks.problems import (
    black_scholes,
    bundle_adjustment,
    gaussian_process,
    gmm,
    gmm_loops,
    heat,
    kalman,
    logistic_regression,
    lstm,
    mlp,
    nbody,
    nbody_loops,
    recurrence,
    rk4,
    rosenbrock,
    three_body,
)

__all__ = ["FAMILIES", "PROBLEMS", "TINY"]

MODULES = (
    *(rosenbrock, three_body, logistic_regression, mlp, black_scholes, gmm, gmm_loops),
    *(bundle_adjustment, nbody, nbody_loops, gaussian_process, kalman, lstm, recurrence, rk4, heat),
)
PROBLEMS: dict[str, Problem] = {
    problem.name: problem for module in MODULES for problem in module.PROBLEMS
}
FAMILIES = tuple(dict.fromkeys(problem.family for problem in PROBLEMS.values()))
TINY = {name: problem for name, problem in PROBLEMS.items() if problem.size == "tiny"}
