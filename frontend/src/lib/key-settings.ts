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

/** Gives the command another key; null restores its own. */
export function chooseKey(commandId: string, key: string | null): void {
  const settings = keySettings();
  const others = Object.entries(settings.chosen).filter(([id, held]) => id !== commandId && held !== key);
  const chosen = Object.fromEntries(key === null ? others : [...others, [commandId, key]]);
  writeStored(STORAGE_KEY, { ...settings, chosen });
}
