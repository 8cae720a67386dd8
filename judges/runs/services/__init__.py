"""Start judges, work through their batches, pay for their calls, and take over verdicts from files."""
