"""Write items: take files in, check, apply and undo them, draw the sample, describe systems."""
