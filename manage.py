#!/usr/bin/env python
"""Run Assay's commands."""

import sys

from commands.managing import run

if __name__ == "__main__":
    run(sys.argv)
