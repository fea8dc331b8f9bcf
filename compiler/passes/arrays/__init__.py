"""Array expressions made cheaper."""
