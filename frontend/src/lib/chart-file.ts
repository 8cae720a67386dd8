/** A chart as a file that stands alone: its title, legend and colors drawn into one picture. */

const FONT = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', sans-serif";
const SOFT = "#565a64";
const EDGE = 16;
const TITLE = { size: 14, line: 19, letter: 7.4 };
const NOTE = { size: 12, line: 16, letter: 6.1 };

/** What the file says beside the picture itself. */
interface ChartWords {
  readonly title: string;
  /** What is shown, of how many; empty where the page says nothing more. */
  readonly note: string;
  /** Where and when it was made, for those who open the file's source. */
  readonly origin: string;
}

export interface ChartFile {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}

/**
 * The chart with title and note on white. Variables, currentColor and mixed colors become plain ones, style
 * sheets attributes; links, pictures and scripts stay out, so that nothing outside the file is asked for.
 */
export function standaloneChart(chart: Element, words: ChartWords, colorOf: ColorOf): ChartFile {
  const pictures = picturesOf(chart);
  const inner = Math.max(240, ...pictures.map(({ width }) => width));
  const page = emptyPage();
  const draft = new Draft(page, inner, colorOf);
  draft.lines(words.title, { ...TITLE, weight: "600", fill: INK });
  draft.lines(words.note, { ...NOTE, weight: "400", fill: SOFT });
  draft.legend(swatchesOf(chart));
  for (const picture of pictures) draft.picture(picture);
  const [width, height] = [inner + 2 * EDGE, draft.bottom + EDGE];
  setAll(page, { width, height, viewBox: `0 0 ${width} ${height}`, "font-family": FONT });
  page.prepend(
    made(page, "title", {}, words.title),
    made(page, "desc", {}, words.origin),
    made(page, "rect", { width, height, fill: "#ffffff" }),
  );
  const text = `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(page)}\n`;
  return { text, width, height };
}

/** A PNG of the file, so many dots for each of its pixels. */
export async function pngOf({ text, width, height }: ChartFile, scale = 3): Promise<Blob> {
  const image = new Image();
  // The security policy allows pictures as data, none as blob.
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => (blob ? resolve(blob) : reject(new Error("The browser could not create a PNG."))),
      "image/png",
    );
  });
}

interface Picture {
  readonly element: Element;
  readonly width: number;
  readonly height: number;
}

interface Swatch {
  readonly fill: string;
  readonly text: string;
}

const SWATCH = '[class*="-swatch"]';

function picturesOf(chart: Element): Picture[] {
  const all = chart.localName === "svg" ? [chart] : [...chart.querySelectorAll("svg")];
  return all
    .filter((element) => element.parentElement?.closest("svg") == null && !element.closest(SWATCH))
    .map((element) => ({
      element,
      width: Number(element.getAttribute("width")),
      height: Number(element.getAttribute("height")),
    }));
}

/** The legend that Plot writes as HTML: a small picture and a word each. */
function swatchesOf(chart: Element): Swatch[] {
  return [...chart.querySelectorAll(`span${SWATCH}`)].map((element) => ({
    fill: element.querySelector("svg")?.getAttribute("fill") ?? "currentColor",
    text: element.textContent.trim(),
  }));
}

interface LineLook {
  readonly size: number;
  readonly line: number;
  readonly letter: number;
  readonly weight: string;
  readonly fill: string;
}

/** Writes the parts of the file one under the other. */
class Draft {
  bottom = EDGE;

  constructor(
    private readonly page: Element,
    private readonly width: number,
    private readonly colorOf: ColorOf,
  ) {}

  lines(text: string, look: LineLook): void {
    for (const line of wrapped(text, Math.floor(this.width / look.letter))) {
      this.bottom += look.line;
      const place = { x: EDGE, y: this.bottom - 4 };
      const font = { "font-size": look.size, "font-weight": look.weight, fill: look.fill };
      this.page.append(made(this.page, "text", { ...place, ...font }, line));
    }
  }

  legend(swatches: readonly Swatch[]): void {
    if (swatches.length === 0) return;
    let x = EDGE;
    this.bottom += NOTE.line + 6;
    for (const { fill, text } of swatches) {
      const room = 18 + text.length * NOTE.letter + 14;
      if (x > EDGE && x + room > EDGE + this.width) {
        x = EDGE;
        this.bottom += NOTE.line + 4;
      }
      const { color } = plainColor(this.colorOf(fill));
      const [y, size] = [this.bottom - 12, NOTE.size];
      this.page.append(made(this.page, "rect", { x, y, width: 12, height: 12, fill: color }));
      this.page.append(made(this.page, "text", { x: x + 18, y: y + 10, "font-size": size, fill: INK }, text));
      x += room;
    }
  }

  picture({ element, height }: Picture): void {
    this.bottom += 8;
    const place = `translate(${EDGE},${this.bottom})`;
    this.page.append(copied(this.page, element, this.colorOf, { transform: place, fill: INK }));
    this.bottom += height;
  }
}

/** Words in lines of at most so many letters; a longer word stands alone. */
export function wrapped(text: string, letters: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= letters)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const SVG = "http://www.w3.org/2000/svg";
const INK = "#1b1d22";

const KEPT = new Set(
  ["g", "path", "line", "rect", "circle", "ellipse", "polygon", "polyline", "text", "tspan", "title"].concat([
    "defs",
    "clipPath",
    "linearGradient",
    "radialGradient",
    "stop",
    "marker",
    "pattern",
    "mask",
  ]),
);
// What a chart's style may say that a file must say as an attribute.
const LOOK = ["fill", "stroke", "opacity", "color", "font-size", "font-weight", "font-style", "text-anchor"];
const COLORS = new Set(["fill", "stroke", "stop-color"]);
const LEFT_OUT = /^(?:class|style|href|xlink:.*|xmlns.*|aria-.*|role|on.*|tabindex|color|font-family)$/;

type Attributes = Readonly<Record<string, string | number>>;

function copied(page: Element, source: Element, colorOf: ColorOf, added: Attributes = {}): Element {
  const isRoot = source.localName === "svg";
  const copy = made(page, isRoot || source.localName === "a" ? "g" : source.localName, {});
  // Colors come last: one that lets through adds to the opacity that stands there.
  const attributes = [...source.attributes].sort(
    (a, b) => Number(COLORS.has(a.name)) - Number(COLORS.has(b.name)),
  );
  for (const { name, value } of attributes) {
    if (LEFT_OUT.test(name) || (isRoot && /^(?:width|height|viewBox)$/.test(name))) continue;
    setLook(copy, name, value, colorOf);
  }
  const { style } = source as SVGElement;
  for (const name of LOOK)
    if (style.getPropertyValue(name)) setLook(copy, name, style.getPropertyValue(name), colorOf);
  setAll(copy, added);
  for (const child of source.childNodes) {
    if (child.nodeType === Node.TEXT_NODE) copy.append(sayable(child.nodeValue ?? ""));
    else if (child instanceof Element && isKept(child)) copy.append(copied(page, child, colorOf));
  }
  return copy;
}

/** A tip belongs to the pointer over the page. */
function isKept(element: Element): boolean {
  return (
    (KEPT.has(element.localName) || element.localName === "a") && element.getAttribute("aria-label") !== "tip"
  );
}

function emptyPage(): Element {
  return document.implementation.createDocument(SVG, "svg").documentElement;
}

function setLook(copy: Element, name: string, value: string, colorOf: ColorOf): void {
  // A reference to a part of the file itself is no color, and one to anything else is not kept.
  if (/url\(/i.test(value)) {
    if (/^url\(["']?#/i.test(value)) copy.setAttribute(name, value);
    return;
  }
  if (!COLORS.has(name) || value === "none") {
    copy.setAttribute(name, sayable(value));
    return;
  }
  const paint = plainColor(colorOf(value));
  copy.setAttribute(name, paint.color);
  setOpacity(copy, name, paint);
}

function setOpacity(copy: Element, name: string, { opacity }: Paint): void {
  if (opacity === 1) return;
  const key = name === "stop-color" ? "stop-opacity" : `${name}-opacity`;
  copy.setAttribute(key, String(Number((opacity * Number(copy.getAttribute(key) ?? 1)).toFixed(3))));
}

function made(page: Element, name: string, attributes: Attributes, text = ""): Element {
  const element = page.ownerDocument.createElementNS(SVG, name);
  setAll(element, attributes);
  if (text) element.textContent = sayable(text);
  return element;
}

function setAll(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/** XML has no way to write control characters, halves of a pair and two more. */
function sayable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu, "");
}

interface Paint {
  /** #rrggbb, or what was given where nothing is known of it. */
  readonly color: string;
  /** 0–1. */
  readonly opacity: number;
}

const NUMBERS = /-?[\d.]+(?:e-?\d+)?%?/g;

/** Reads what browsers say of a computed color: "rgb(36, 80, 181)", "rgba(0, 0, 0, 0.5)", "color(srgb 0.1 0.2 0.3 / 0.4)". */
export function plainColor(computed: string): Paint {
  const [, kind, inside] = /^(rgba?|color)\(\s*(?:srgb\s)?(.*)\)$/.exec(computed.trim()) ?? [];
  if (kind === undefined || inside === undefined) return { color: computed, opacity: 1 };
  const numbers = (inside.match(NUMBERS) ?? []).map((text) =>
    text.endsWith("%") ? Number(text.slice(0, -1)) / 100 : Number(text),
  );
  const channels = numbers.slice(0, 3).map((value) => (kind === "color" ? value * 255 : value));
  const hexadecimal = channels.map((value) => hexOf(Math.round(Math.min(255, Math.max(0, value)))));
  return { color: `#${hexadecimal.join("")}`, opacity: numbers[3] ?? 1 };
}

function hexOf(value: number): string {
  return value.toString(16).padStart(2, "0");
}

/** Says what a CSS color with variables comes to, as "rgb(…)" or "color(srgb …)". */
type ColorOf = (css: string) => string;

/**
 * Calls back with a way to ask what a color with variables comes to in the light scheme, whichever the page
 * has; asked inside the call only.
 */
export function onPaper<T>(work: (colorOf: ColorOf) => T): T {
  const probe = document.createElement("span");
  probe.dataset["scheme"] = "paper";
  document.body.append(probe);
  try {
    return work((css) => {
      // currentColor is the ink of the paper, not of what stands around the probe.
      probe.style.color = css.replaceAll(/currentcolor/gi, "var(--ink)");
      return getComputedStyle(probe).color;
    });
  } finally {
    probe.remove();
  }
}
