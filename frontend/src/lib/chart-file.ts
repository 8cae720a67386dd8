/** A chart as a file of its own: one SVG that needs no page around it, and the same as PNG. */
import { copied, emptyPage, INK, made, setAll } from "./chart-parts";
import { type ColorOf, plainColor } from "./plain-color";

const FONT = "Helvetica, Arial, 'Liberation Sans', 'Noto Sans', sans-serif";
const SOFT = "#565a64";
const EDGE = 16;
const TITLE = { size: 14, line: 19, letter: 7.4 };
const NOTE = { size: 11, line: 15, letter: 5.6 };

/** What the file says beside the picture itself. */
export interface ChartWords {
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
      (blob) => (blob ? resolve(blob) : reject(new Error("The browser made no PNG."))),
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
