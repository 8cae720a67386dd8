"""Files of data sets and evaluation programs, as they are released or exported."""
