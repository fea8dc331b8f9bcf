"""From a program to its derivative: forward and reverse mode, and what is kept between the sweeps."""
