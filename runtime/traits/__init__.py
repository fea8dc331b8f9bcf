"""Facts about operations that both the compiler and the tape go by."""
