"""What is computed twice, or for nothing."""
