"""What one way leaves and another does not: names, values and attributes that may not be there."""
