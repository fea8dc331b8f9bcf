"""Calls: callees, arguments and results, closures, constructors."""
