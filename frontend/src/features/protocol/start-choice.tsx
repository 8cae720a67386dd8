/** Where an own protocol starts from: the one in force, or a published one. */
import { useState } from "react";
import type { Preset, ProtocolVersion } from "../../api/contract";
import { Select } from "../../components/field";
import { draftOf, type ProtocolDraft } from "./draft";
import styles from "./protocol.module.css";

interface StartChoiceProps {
  readonly presets: readonly Preset[];
  readonly version: ProtocolVersion;
  readonly onChoose: (draft: ProtocolDraft) => void;
}

export function StartChoice({ presets, version, onChoose }: StartChoiceProps) {
  const [chosen, setChosen] = useState("");
  const choose = (key: string) => {
    setChosen(key);
    onChoose(draftOf(presets.find((preset) => preset.key === key)?.spec ?? version.spec));
  };
  return (
    <div className={styles["start"]}>
      <Select
        label="Start from"
        hint="Fills in everything below; nothing is kept before you put it in force."
        value={chosen}
        onChange={(event) => choose(event.target.value)}
      >
        <option value="">The protocol in force, version {version.number}</option>
        {presets.map((preset) => (
          <option key={preset.key} value={preset.key}>
            {preset.name}
          </option>
        ))}
      </Select>
    </div>
  );
}
