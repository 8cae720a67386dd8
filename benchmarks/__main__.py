"""Run every benchmark: `make bench`."""

from benchmarks import lexical

if __name__ == "__main__":
    lexical.run()
