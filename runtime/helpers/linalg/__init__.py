"""Helpers of products and linear algebra."""
