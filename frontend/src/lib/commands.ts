/** Keyboard commands as data: buttons, shortcuts and the help sheet read the same list. */
import { t } from "./i18n/t";

export interface Command {
  readonly id: string;
  readonly label: string;
  /** The first is printed on buttons; all of them work. "mod" is Ctrl, or Cmd on a Mac. */
  readonly keys: readonly string[];
  readonly group?: string;
  /** Whether it can run now; absent means always. */
  readonly when?: () => boolean;
  readonly run: () => void;
}

interface KeyPress {
  readonly key: string;
  readonly code: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
}

/**
 * The names a key press may go by, the best first. The printed character counts, so that letters follow the
 * layout; digits also by position, because AZERTY prints & é " ' ( on them; letters by position where the
 * layout has no Latin ones.
 */
export function keyNames(press: KeyPress): string[] {
  if (press.altKey) return [];
  const modifier = press.ctrlKey || press.metaKey ? "mod+" : "";
  const names = [press.key.length === 1 ? press.key.toLowerCase() : press.key];
  const digit = digitOf(press);
  if (digit !== null) names.push(digit);
  const letter = /^Key([A-Z])$/.exec(press.code)?.[1];
  if (letter !== undefined && (press.key.codePointAt(0) ?? 0) > 127) names.push(letter.toLowerCase());
  // Arrows mean more with shift where a command claims that; printed characters hold their shift already.
  if (press.shiftKey && press.key.startsWith("Arrow")) names.unshift(`shift+${press.key}`);
  return [...new Set(names)].map((name) => modifier + name);
}

/** The digit of the key's place; a number block without Num Lock prints no digits. */
function digitOf({ key, code, shiftKey }: KeyPress): string | null {
  if (shiftKey || key.length !== 1) return null;
  return /^(?:Digit|Numpad)([0-9])$/.exec(code)?.[1] ?? null;
}

/** The name under which a press is kept as somebody's choice; null where it cannot be a command's key. */
export function keyToKeep(press: KeyPress): string | null {
  const [name] = keyNames(press);
  if (name === undefined || press.ctrlKey || press.metaKey || KEYS_NOT_GIVEN.has(name)) return null;
  if (name.length > 1 && !/^(?:Arrow|F[0-9]|Home|End|Page|Enter|Insert)/.test(name)) return null;
  return digitOf(press) ?? name;
}

/** These leave fields, walk through the page or lose work. */
const KEYS_NOT_GIVEN = new Set(["Escape", "Tab", "Backspace", "Delete", " "]);

export function findCommand(commands: readonly Command[], press: KeyPress): Command | null {
  for (const name of keyNames(press)) {
    const found = commands.find((command) => command.keys.includes(name));
    if (found) return found;
  }
  return null;
}

export function canRun(command: Command): boolean {
  return command.when === undefined || command.when();
}

/** Keys that more than one command claims; a test asserts that there are none. */
export function repeatedKeys(commands: readonly Command[]): string[] {
  const keys = commands.flatMap((command) => [...new Set(command.keys)]);
  return keys.filter((key, index) => keys.indexOf(key) !== index);
}

const KEY_SIGNS: Readonly<Record<string, string>> = {
  ArrowDown: "↓",
  ArrowUp: "↑",
  ArrowLeft: "←",
  ArrowRight: "→",
};

/** Keys that carry a word, not a sign. */
const KEY_NAMES = { " ": "Space", Enter: "Enter", Escape: "Esc" } as const;

function isNamed(key: string): key is keyof typeof KEY_NAMES {
  return Object.hasOwn(KEY_NAMES, key);
}

/** The key as it is printed on a key cap. */
export function keyWords(key: string): string {
  if (key.startsWith("mod+")) return `${t("Ctrl")} ${keyWords(key.slice(4)).toUpperCase()}`;
  if (key.startsWith("shift+")) return `${t("Shift")} ${keyWords(key.slice(6))}`;
  return isNamed(key) ? t(KEY_NAMES[key]) : (KEY_SIGNS[key] ?? key);
}
