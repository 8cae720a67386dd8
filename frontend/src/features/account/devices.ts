/** Which browser on which system sent a request, by what it calls itself. */

interface Device {
  readonly browser: string;
  readonly system: string;
}

// In this order: most browsers also call themselves by the names below theirs.
const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["CriOS/", "Chrome"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iOS"],
  ["iPad", "iPadOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["CrOS", "ChromeOS"],
  ["Linux", "Linux"],
] as const;

/** Return browser and system, or null where one is not known, as of a program. */
export function deviceOf(userAgent: string): Device | null {
  const browser = nameIn(userAgent, BROWSERS);
  const system = nameIn(userAgent, SYSTEMS);
  return browser && system ? { browser, system } : null;
}

function nameIn(text: string, names: readonly (readonly [string, string])[]): string | undefined {
  return names.find(([sign]) => text.includes(sign))?.[1];
}
