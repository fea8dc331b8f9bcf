"""``python -m retrograd``: the command line."""

import runpy

runpy.run_module("retrograd.cli.main", run_name="__main__", alter_sys=True)
