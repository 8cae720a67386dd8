/** The reader's own keys: commands can be remapped, and single-key shortcuts turned off (WCAG 2.1.4). */
import type { Command } from "./commands";
import { isRecord, readStored, writeStored } from "./storage";

const STORAGE_KEY = "assay.keys";

interface KeySettings {
  readonly enabled: boolean;
  /** Command id to the key chosen for it. */
  readonly chosen: Readonly<Record<string, string>>;
}

function isKeySettings(value: unknown): value is KeySettings {
  return isRecord(value) && typeof value["enabled"] === "boolean" && isRecord(value["chosen"]);
}

export function keySettings(): KeySettings {
  return readStored(STORAGE_KEY, isKeySettings) ?? { enabled: true, chosen: {} };
}

export function shortcutsEnabled(): boolean {
  return keySettings().enabled;
}

export function setShortcutsEnabled(enabled: boolean): void {
  writeStored(STORAGE_KEY, { ...keySettings(), enabled });
}

/** The command's keys after the reader's choice: a chosen key replaces the printed one. */
export function withChosenKeys(commands: readonly Command[]): Command[] {
  const { chosen } = keySettings();
  const taken = new Set(Object.values(chosen));
  return commands.map((command) => {
    const own = chosen[command.id];
    const kept = command.keys.filter((key, index) => !taken.has(key) && (own === undefined || index > 0));
    return { ...command, keys: own === undefined ? kept : [own, ...kept] };
  });
}

export function hasChosenKeys(commands: readonly Command[]): boolean {
  const { chosen } = keySettings();
  return commands.some(({ id }) => chosen[id] !== undefined);
}

/**
 * Gives the command another key. Returns the command that has the key already, and then changes nothing.
 * `commands`: those of the page, with the keys they have now.
 */
export function chooseKey(commands: readonly Command[], commandId: string, key: string): Command | null {
  const holder = commands.find(({ id, keys }) => id !== commandId && keys.includes(key));
  if (holder) return holder;
  keepChosen({ ...keySettings().chosen, [commandId]: key });
  return null;
}

/** Gives these commands their printed keys back. */
export function restoreKeys(commands: readonly Command[]): void {
  const restored = new Set(commands.map(({ id }) => id));
  const others = Object.entries(keySettings().chosen).filter(([id]) => !restored.has(id));
  keepChosen(Object.fromEntries(others));
}

function keepChosen(chosen: KeySettings["chosen"]): void {
  writeStored(STORAGE_KEY, { ...keySettings(), chosen });
}
