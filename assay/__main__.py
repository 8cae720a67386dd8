"""Run the command line as `python -m assay`."""

from assay.command_line import main

if __name__ == "__main__":
    main()
