"""The libraries of arrays, NumPy and CuPy: whose an array is, and which functions of the two are one."""
