"""Read answers: the list, one answer's whole history, and where judges differ from people."""
