/** The parts of a chart as a file may have them: plain colors, attributes for styles, nothing from outside. */
import { type ColorOf, type Paint, plainColor } from "./plain-color";

const SVG = "http://www.w3.org/2000/svg";
export const INK = "#1b1d22";

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

export function copied(page: Element, source: Element, colorOf: ColorOf, added: Attributes = {}): Element {
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

export function emptyPage(): Element {
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

export function made(page: Element, name: string, attributes: Attributes, text = ""): Element {
  const element = page.ownerDocument.createElementNS(SVG, name);
  setAll(element, attributes);
  if (text) element.textContent = sayable(text);
  return element;
}

export function setAll(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
}

/** XML has no way to write control characters, halves of a pair and two more. */
function sayable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu, "");
}
