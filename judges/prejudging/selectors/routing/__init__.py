"""Read how answers are routed: which rule holds, what a judge says of one, and what came of it."""
