"""Between the network and the views."""
