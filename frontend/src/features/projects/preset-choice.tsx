/** A choice of published protocols, each in plain words. */
import { useId } from "react";
import type { Preset } from "../../api/contract";
import { factsOf } from "../../lib/protocol-words";
import styles from "./preset-choice.module.css";

interface PresetChoiceProps {
  readonly presets: readonly Preset[];
  readonly chosen: string;
  readonly onChoose: (key: string) => void;
}

export function PresetChoice({ presets, chosen, onChoose }: PresetChoiceProps) {
  const group = useId();
  return (
    <fieldset className={styles["choice"]}>
      <legend className={styles["legend"]}>Protocol</legend>
      <p className={styles["hint"]}>
        How answers are judged. It can be adapted until the first answer is handed out.
      </p>
      {presets.map((preset) => (
        <label key={preset.key} className={styles["option"]}>
          <input
            type="radio"
            name={group}
            checked={preset.key === chosen}
            onChange={() => onChoose(preset.key)}
          />
          <span className={styles["words"]}>
            <span className={styles["name"]}>{preset.name}</span>
            <span>{preset.summary}</span>
            {preset.key === chosen && <Facts preset={preset} />}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Facts({ preset }: { readonly preset: Preset }) {
  return (
    <span className={styles["facts"]}>
      {factsOf(preset.spec).map((fact) => (
        <span key={fact.name}>
          <span className={styles["fact"]}>{fact.name}: </span>
          {fact.words}
        </span>
      ))}
    </span>
  );
}
