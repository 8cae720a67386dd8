/** Colors as every drawing program knows them, and what the tokens are on white paper. */

export interface Paint {
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
export type ColorOf = (css: string) => string;

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
