"""The tensor itself: dtype, device, views, printing."""
