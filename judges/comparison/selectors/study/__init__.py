"""Read a study: its arrays, its filters, and what each way of judging says of each prediction."""
