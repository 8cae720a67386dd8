/** Fails when a page loads more script and style than its readers' connections should bear (kB of gzip). */
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

const JUDGING = "src/features/judging/judging-page.tsx";
const LIMITS = { judging: 170_000, other: 340_000 };
const dist = new URL("../dist/", import.meta.url);
const manifest = JSON.parse(readFileSync(new URL(".vite/manifest.json", dist), "utf8"));
/** What pages with charts load once they show one. */
const CHARTS = Object.keys(manifest).find((key) => key.endsWith("@observablehq/plot/src/index.js"));
const known = new Map();

/** The files of an entry with everything it imports at once; what it loads later is not counted. */
function filesOf(key, seen = new Set()) {
  if (seen.has(key)) return [];
  seen.add(key);
  const { file, css = [], imports = [] } = manifest[key];
  return [file, ...css, ...imports.flatMap((imported) => filesOf(imported, seen))];
}

function bytesOf(file) {
  if (!known.has(file)) known.set(file, gzipSync(readFileSync(new URL(file, dist)), { level: 6 }).length);
  return known.get(file);
}

function bytesOfPage(...entries) {
  const files = new Set([...["index.html", ...entries].flatMap((entry) => filesOf(entry)), "theme.js"]);
  return [...files].reduce((sum, file) => sum + bytesOf(file), 0);
}

if (CHARTS === undefined) throw new Error("The charts are no part of the build; name here what draws them.");
const pages = Object.keys(manifest).filter((key) => key.endsWith("-page.tsx"));
const sizes = pages.map((page) => ({
  page,
  bytes: page === JUDGING ? bytesOfPage(page) : bytesOfPage(page, CHARTS),
  limit: page === JUDGING ? LIMITS.judging : LIMITS.other,
}));
const judging = sizes.find(({ page }) => page === JUDGING);
const largest = sizes
  .filter(({ page }) => page !== JUDGING)
  .reduce((one, other) => (other.bytes > one.bytes ? other : one));
for (const { page, bytes, limit } of [judging, largest]) {
  console.log(`${String(bytes).padStart(8)} bytes (gzip), at most ${limit}: ${page}`);
}
const tooLarge = sizes.filter(({ bytes, limit }) => bytes > limit);
for (const { page, bytes, limit } of tooLarge) {
  console.error(
    `${page} loads ${bytes} bytes, at most ${limit}. Import what it does not need at once lazily.`,
  );
}
if (tooLarge.length > 0) process.exit(1);
