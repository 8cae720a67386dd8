"""Read the table of answers: its columns, which answers are asked for, and a page of them."""
