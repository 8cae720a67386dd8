"""How texts that people read are found in files of each sort, for `tools/strings.py`."""
