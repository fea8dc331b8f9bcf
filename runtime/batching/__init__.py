"""Arrays of a whole batch that look like the array of one example, and the rules by which NumPy computes with them."""
