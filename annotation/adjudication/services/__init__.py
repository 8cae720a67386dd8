"""Turn votes into decisions, by rule or by a person, and let machines decide what a policy leaves to them."""
