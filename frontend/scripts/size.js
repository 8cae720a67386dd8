/** Fails when the judging page loads more script and style than an annotator's connection should bear. */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const LIMIT_BYTES = 200_000;
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));

/** The files of an entry with everything it imports at once; what it loads later is not counted. */
function filesOf(key, seen = new Set()) {
  if (seen.has(key)) return [];
  seen.add(key);
  const { file, css = [], imports = [] } = manifest[key];
  return [file, ...css, ...imports.flatMap((imported) => filesOf(imported, seen))];
}

const pages = ["index.html", "src/features/judging/judging-page.tsx"];
const files = [...new Set([...pages.flatMap((page) => filesOf(page)), "theme.js"])];
const sizes = files.map((file) => gzipSync(readFileSync(new URL(file, dist)), { level: 6 }).length);
const total = sizes.reduce((sum, size) => sum + size, 0);

files.forEach((file, index) => console.log(String(sizes[index]).padStart(8), file));
console.log(`${String(total).padStart(8)} bytes (gzip) loaded by the judging page, at most ${LIMIT_BYTES}`);
if (total > LIMIT_BYTES) {
  console.error("The judging page loads too much. Import what it does not need lazily.");
  process.exit(1);
}
