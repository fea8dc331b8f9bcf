"""Other libraries on the tape: classes that programs stand for, SciPy's solvers and integrals, sparse matrices.

What a solver finds is found with plain numbers; the equation that it satisfies, or the sum over the places that SciPy
chose, is then evaluated on the tape, and so has derivatives of every order.
"""
