"""The version of the package."""

version = "0.2.0"
