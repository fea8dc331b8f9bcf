"""Recording of common operations at low overhead."""
