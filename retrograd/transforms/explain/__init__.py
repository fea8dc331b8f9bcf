"""`explain`: what a derivative does, in words."""
