"""Adjudication: what happens when raters disagree, and the final decisions."""
