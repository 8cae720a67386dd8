/** Of the answers that people put on one side, the share that a judge puts on the other. */
export function wronged(missed: number, hit: number): number | null {
  return missed + hit === 0 ? null : missed / (missed + hit);
}
