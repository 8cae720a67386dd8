"""What the papers give for their prompts, to stand beside a run's own figures."""

# Accuracy and F1 in per cent of GPT-3.5 as judge, on EVOUNA-NQ. Source: Wang et al. 2023.
PUBLISHED_SYSTEMS = ("FiD", "GPT-3.5", "ChatGPT", "GPT-4", "New Bing")
PUBLISHED_SCORES: dict[str, tuple[tuple[float, float], ...]] = {
    "evouna-original": ((93.6, 95.3), (83.7, 86.8), (82.2, 86.9), (84.5, 89.7), (69.7, 77.2)),
    "evouna-ignoring-background": ((93.7, 95.3), (82.8, 85.9), (80.8, 85.5), (81.1, 87.1), (65.7, 73.4)),
    "evouna-giving-reasons": ((89.6, 91.9), (76.3, 78.5), (73.2, 78.2), (67.9, 75.8), (55.6, 62.2)),
    "evouna-chain-of-thought": ((84.4, 88.1), (84.9, 88.4), (84.2, 89.0), (88.7, 93.0), (80.2, 86.9)),
    "evouna-in-context": ((93.2, 95.0), (84.5, 88.3), (83.3, 88.0), (86.3, 91.2), (75.1, 82.3)),
}
