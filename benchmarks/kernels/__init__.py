"""NumPy programs of the classes of PolyBench and NPBench, graded and timed."""
