"""Programs that were once wrong: each stays here."""
