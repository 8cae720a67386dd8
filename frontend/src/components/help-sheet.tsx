/** All keys of the page, from the same list that runs them; each can be changed, and all turned off. */
import { useState } from "react";
import { type Command, keyToKeep, keyWords } from "../lib/commands";
import { t } from "../lib/i18n/t";
import {
  chooseKey,
  hasChosenKeys,
  restoreKeys,
  setShortcutsEnabled,
  shortcutsEnabled,
} from "../lib/key-settings";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Checkbox } from "./form";
import styles from "./help-sheet.module.css";
import { KeyHint } from "./key-hint";

interface HelpSheetProps {
  /** With the keys that they have now. */
  readonly commands: readonly Command[];
  readonly onClose: () => void;
  /** Called after a key was changed, so that the page reads its keys again. */
  readonly onChange: () => void;
}

function groupsOf(commands: readonly Command[]): [string, Command[]][] {
  const names = [...new Set(commands.map((command) => command.group ?? t("Keyboard shortcuts")))];
  return names.map((name) => [
    name,
    commands.filter((command) => (command.group ?? t("Keyboard shortcuts")) === name),
  ]);
}

/** Which row waits for a key, and what to say of the last press. */
function useChanging({ commands, onChange }: Pick<HelpSheetProps, "commands" | "onChange">) {
  const [changing, setChanging] = useState<string | null>(null);
  const [said, setSaid] = useState("");
  const stop = (words: string) => {
    setChanging(null);
    setSaid(words);
  };
  return {
    changing,
    said,
    stop,
    start: (command: Command) => {
      setChanging(command.id);
      setSaid(t("Press a key for “{command},” or Esc to cancel.", { command: command.label }));
    },
    choose: (command: Command, key: string | null) => {
      if (key === null)
        return setSaid(
          t("You cannot use that key. Press a letter, digit, or symbol, or press Esc to cancel."),
        );
      const holder = chooseKey(commands, command.id, key);
      if (holder)
        return setSaid(
          t("{key} is already used for “{command}.” Press another key, or Esc to cancel.", {
            key: keyWords(key),
            command: holder.label,
          }),
        );
      stop(t("The key for “{command}” is now {key}.", { command: command.label, key: keyWords(key) }));
      onChange();
    },
    restore: () => {
      restoreKeys(commands);
      stop(t("All keyboard shortcuts were reset."));
      onChange();
    },
  };
}

export function HelpSheet({ commands, onClose, onChange }: HelpSheetProps) {
  const { changing, said, stop, start, choose, restore } = useChanging({ commands, onChange });
  return (
    <Dialog title={t("Keyboard shortcuts")} wide onClose={onClose}>
      <p role="status" className={styles["said"]}>
        {said || t("To change the key for an action, select Change. Your keys are saved in this browser.")}
      </p>
      <div className={styles["groups"]}>
        {groupsOf(commands).map(([name, members]) => (
          <section key={name} className={styles["group"]}>
            <h3>{name}</h3>
            <dl>
              {members.map((command) => (
                <KeyRow
                  key={command.id}
                  command={command}
                  changing={changing === command.id}
                  onStart={() => start(command)}
                  onStop={() => stop("")}
                  onPress={(key) => choose(command, key)}
                />
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Checkbox
        label={t("Use single-key shortcuts")}
        hint={t(
          "Turn these off if you use a screen reader or dictation. They do not work while you type. To leave a field, press Esc.",
        )}
        defaultChecked={shortcutsEnabled()}
        onChange={(isOn) => {
          setShortcutsEnabled(isOn);
          onChange();
        }}
      />
      {hasChosenKeys(commands) && (
        <div>
          <Button size="small" onClick={restore}>
            {t("Reset all keys")}
          </Button>
        </div>
      )}
    </Dialog>
  );
}

interface KeyRowProps {
  readonly command: Command;
  /** Whether the next press is taken for this action. */
  readonly changing: boolean;
  readonly onStart: () => void;
  readonly onStop: () => void;
  /** Null where the key cannot be given to an action. */
  readonly onPress: (key: string | null) => void;
}

const MODIFIERS = new Set(["Shift", "Control", "Alt", "AltGraph", "Meta", "CapsLock", "Dead"]);

function KeyRow({ command, changing, onStart, onStop, onPress }: KeyRowProps) {
  return (
    <div className={styles["row"]}>
      <dt>{command.label}</dt>
      <dd className={styles["keys"]}>
        {command.keys.map((key) => (
          <KeyHint key={key} name={key} />
        ))}
        <span className="visually-hidden">{command.keys.map(keyWords).join(t(" or ")) || t("no key")}</span>
        <Button
          variant="quiet"
          size="small"
          aria-label={
            changing
              ? t("Press a key for “{command}”", { command: command.label })
              : t("Change the key for “{command}”", { command: command.label })
          }
          onClick={onStart}
          onBlur={() => changing && onStop()}
          onKeyDown={(event) => {
            if (!changing || event.key === "Tab" || MODIFIERS.has(event.key)) return;
            event.preventDefault();
            if (event.key === "Escape") onStop();
            else onPress(keyToKeep(event.nativeEvent));
          }}
        >
          {changing ? t("Press a key") : t("Change")}
        </Button>
      </dd>
    </div>
  );
}
