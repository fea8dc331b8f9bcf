"""The surface of ``torch.autograd``, a test for each of its rows, for any module that claims it."""
