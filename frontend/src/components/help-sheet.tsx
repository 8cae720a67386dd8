/** All keys of the page, from the same list that runs them; each can be changed, and all turned off. */
import { useState } from "react";
import { t } from "../lib/i18n/t";
import { type Command, keyWords } from "../lib/commands";
import {
  chooseKey,
  hasChosenKeys,
  restoreKeys,
  setShortcutsEnabled,
  shortcutsEnabled,
} from "../lib/key-settings";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Checkbox } from "./field";
import styles from "./help-sheet.module.css";
import { KeyRow } from "./key-row";

interface HelpSheetProps {
  readonly open: boolean;
  /** With the keys that they have now. */
  readonly commands: readonly Command[];
  readonly onClose: () => void;
  /** Called after a key was changed, so that the page reads its keys again. */
  readonly onChange: () => void;
}

function groupsOf(commands: readonly Command[]): [string, Command[]][] {
  const names = [...new Set(commands.map((command) => command.group ?? t("Keys")))];
  return names.map((name) => [name, commands.filter((command) => (command.group ?? t("Keys")) === name)]);
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
      setSaid(t("Press the key for “{command}”, or Esc to leave it.", { command: command.label }));
    },
    choose: (command: Command, key: string | null) => {
      if (key === null)
        return setSaid(t("That key cannot be used. Press a letter, a digit or a sign, or Esc."));
      const holder = chooseKey(commands, command.id, key);
      if (holder)
        return setSaid(
          t("{key} is the key for “{command}”. Press another, or Esc.", {
            key: keyWords(key),
            command: holder.label,
          }),
        );
      stop(t("“{command}” has the key {key} now.", { command: command.label, key: keyWords(key) }));
      onChange();
    },
    restore: () => {
      restoreKeys(commands);
      stop(t("All keys are as they were."));
      onChange();
    },
  };
}

export function HelpSheet({ open, commands, onClose, onChange }: HelpSheetProps) {
  const { changing, said, stop, start, choose, restore } = useChanging({ commands, onChange });
  const close = () => {
    stop("");
    onClose();
  };
  return (
    <Dialog open={open} title={t("Keys")} wide onClose={close}>
      <p role="status" className={styles["said"]}>
        {said || t("Change gives an action another key, kept in this browser.")}
      </p>
      <div className={styles["groups"]}>
        {groupsOf(commands).map(([name, members]) => (
          <section key={name} className={styles["group"]}>
            <h3>{name}</h3>
            <dl className={styles["list"]}>
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
        label={t("Keys without Ctrl are on")}
        hint={t(
          "Turn them off when a screen reader or dictation needs them. They rest while you type; Esc leaves a field.",
        )}
        defaultChecked={shortcutsEnabled()}
        onChange={(event) => {
          setShortcutsEnabled(event.target.checked);
          onChange();
        }}
      />
      {hasChosenKeys(commands) && (
        <div>
          <Button size="small" onClick={restore}>
            {t("Give all actions their own keys back")}
          </Button>
        </div>
      )}
    </Dialog>
  );
}
