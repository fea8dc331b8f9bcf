"""Programs for tests: what is differentiated, apart from what is asserted of it."""
