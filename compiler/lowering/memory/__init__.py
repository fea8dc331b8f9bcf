"""Memory while lowering: array versions, container identity, alias assumptions."""
