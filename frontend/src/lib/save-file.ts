/** Hands a file that the page or the server made to the reader’s browser. */

export function saveFile(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  downloadFrom(address, name);
  URL.revokeObjectURL(address);
}

/** The server names its own files. */
export function downloadFrom(address: string, name = ""): void {
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
}

const LONGEST_NAME = 60;

/** A file's name from what a page says: "nq301", "Rank of each system (1 is best)" → nq301-rank-of-each-system-1-is-best. */
export function fileNameOf(...words: readonly string[]): string {
  const plain = words
    .join(" ")
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+/, "");
  return plain.slice(0, LONGEST_NAME).replace(/-+$/, "") || "chart";
}
