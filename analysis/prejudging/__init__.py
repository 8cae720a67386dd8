"""What machines may settle, what that makes of scores, and how many labels people still have to give."""
