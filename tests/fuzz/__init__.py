"""Random programs, their derivatives, and what was found with them."""
