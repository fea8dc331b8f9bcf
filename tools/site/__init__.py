"""The documentation as a site: ``python -m tools.site OUT`` builds it, warnings as errors, without network."""
