"""What is called with arrays: ufuncs, functions, linear algebra, random numbers."""
