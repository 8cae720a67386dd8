/** An action of the page with its keys, and the button that gives it another. */
import { t } from "../lib/i18n/t";
import { type Command, keyToKeep, keyWords } from "../lib/commands";
import { Button } from "./button";
import styles from "./help-sheet.module.css";
import { KeyHint } from "./key-hint";

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

export function KeyRow({ command, changing, onStart, onStop, onPress }: KeyRowProps) {
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
              ? t("Press a key for: {command}", { command: command.label })
              : t("Change the key for: {command}", { command: command.label })
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
