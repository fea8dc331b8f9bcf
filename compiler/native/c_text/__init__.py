"""What the printers of C and of CUDA share: expressions, and the functions of numbers that these call."""
