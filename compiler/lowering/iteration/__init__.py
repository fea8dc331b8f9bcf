"""What a loop may iterate over."""
