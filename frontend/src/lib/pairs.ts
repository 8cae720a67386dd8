/** Rows about two of the same things, found by the two in either order. */

export function pairsByEnds<Pair>(
  pairs: readonly Pair[],
  endsOf: (pair: Pair) => readonly [string, string],
): (one: string, other: string) => Pair | undefined {
  const found = new Map(pairs.map((pair) => [keyOf(...endsOf(pair)), pair]));
  return (one, other) => found.get(keyOf(one, other)) ?? found.get(keyOf(other, one));
}

// Names may hold spaces, but no line breaks.
function keyOf(one: string, other: string): string {
  return `${one}\n${other}`;
}
