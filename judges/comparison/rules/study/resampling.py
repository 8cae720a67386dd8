"""How questions are drawn again, alike wherever comparison says how sure a figure is."""

# One seed for all: figures of one page, and of two pages, come from the same draws.
SEED = 20_231
RESAMPLES = 1_000
