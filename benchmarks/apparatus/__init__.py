"""What benchmarks stand on: inputs, databases, a large study, processes and what they used."""
