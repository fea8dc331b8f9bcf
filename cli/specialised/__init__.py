"""Helpers of the runtime cut down to what a text needs of them: what is known of their arguments decides their tests."""
