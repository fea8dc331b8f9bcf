"""Texts of programs and of their derivatives: read, joined, compared."""
