"""Differentials of products and linear algebra."""
