/** Whether a text somebody typed can be followed as a link; anything else stays text. */
export function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
