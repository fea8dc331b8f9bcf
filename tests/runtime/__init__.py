"""Tests of what generated code and the tape run on."""
