"""In which order operations run, and where what they give is read."""
