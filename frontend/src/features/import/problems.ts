/** Where problems of an import stand, in words. */
/** Line numbers as people write them, runs joined: "3, 7–9 and 12 more"; `count`: how many there are in all. */
export function lineWords(lines: readonly number[], count = lines.length, most = 6): string {
  const runs: [number, number][] = [];
  for (const line of [...new Set(lines)].sort((a, b) => a - b)) {
    const last = runs.at(-1);
    if (last && line === last[1] + 1) last[1] = line;
    else runs.push([line, line]);
  }
  const shown = runs.slice(0, most).map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
  const unnamed = Math.max(0, count - lines.length);
  const hidden = runs.slice(most).reduce((sum, [from, to]) => sum + to - from + 1, unnamed);
  return hidden > 0 ? `${shown.join(", ")} and ${hidden} more` : shown.join(", ");
}
