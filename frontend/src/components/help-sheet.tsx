/** All keys of the page, from the same list that runs them; each can be changed, and all turned off. */
import { useState } from "react";
import { type Command, keyNames } from "../lib/commands";
import { chooseKey, setShortcutsEnabled, shortcutsEnabled } from "../lib/key-settings";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Checkbox } from "./field";
import styles from "./help-sheet.module.css";
import { KeyHint } from "./key-hint";

interface HelpSheetProps {
  readonly open: boolean;
  readonly commands: readonly Command[];
  readonly onClose: () => void;
  /** Called after a key was changed, so that the page reads its keys again. */
  readonly onChange: () => void;
}

function groupsOf(commands: readonly Command[]): [string, Command[]][] {
  const names = [...new Set(commands.map((command) => command.group ?? "Keys"))];
  return names.map((name) => [name, commands.filter((command) => (command.group ?? "Keys") === name)]);
}

export function HelpSheet({ open, commands, onClose, onChange }: HelpSheetProps) {
  const [changing, setChanging] = useState<string | null>(null);
  const choose = (commandId: string, key: string | null) => {
    chooseKey(commandId, key);
    setChanging(null);
    onChange();
  };
  return (
    <Dialog open={open} title="Keys" wide onClose={onClose}>
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
                  onChange={() => setChanging(command.id)}
                  onChoose={(key) => choose(command.id, key)}
                />
              ))}
            </dl>
          </section>
        ))}
      </div>
      <Checkbox
        label="Keys without Ctrl are on"
        hint="Turn them off when a screen reader or dictation needs them. They rest while you type; Esc leaves a field."
        defaultChecked={shortcutsEnabled()}
        onChange={(event) => {
          setShortcutsEnabled(event.target.checked);
          onChange();
        }}
      />
    </Dialog>
  );
}

interface KeyRowProps {
  readonly command: Command;
  readonly changing: boolean;
  readonly onChange: () => void;
  readonly onChoose: (key: string | null) => void;
}

function KeyRow({ command, changing, onChange, onChoose }: KeyRowProps) {
  return (
    <div className={styles["row"]}>
      <dt>{command.label}</dt>
      <dd className={styles["keys"]}>
        {command.keys.map((key) => (
          <KeyHint key={key} name={key} />
        ))}
        <span className="visually-hidden">{command.keys.join(" or ")}</span>
        <Button
          variant="quiet"
          size="small"
          aria-label={`Change the key for: ${command.label}`}
          onClick={onChange}
          onBlur={() => changing && onChoose(null)}
          onKeyDown={(event) => {
            if (!changing || event.key === "Tab") return;
            event.preventDefault();
            const key = keyNames(event.nativeEvent)[0];
            onChoose(event.key === "Escape" || key === undefined ? null : key);
          }}
        >
          {changing ? "Press a key" : "Change"}
        </Button>
      </dd>
    </div>
  );
}
