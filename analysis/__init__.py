"""Numbers without a database: pure NumPy, no Django, no input or output, no clock; seeds are arguments."""
