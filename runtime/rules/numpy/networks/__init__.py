"""Rules of layers of networks."""
