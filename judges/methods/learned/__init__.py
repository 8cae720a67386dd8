"""The learned judge: shipped weights over what texts share, people's decisions on other answers, and why."""
