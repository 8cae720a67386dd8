"""Speed, side by side with the alternatives in one run; run on purpose, never asserted in tests."""
