"""What this package's functions call where arrays are the device's."""
