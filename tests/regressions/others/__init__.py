"""Programs that others wrote, or might have: each is right in every mode, or refused with a RetrogradError."""
