/** Who tags in a round. */
import type { TaggingOverview } from "../../api/contract";
import { Checkbox } from "../../components/form";
import styles from "./failures.module.css";

interface TaggerFieldsProps {
  readonly taggers: TaggingOverview["taggers"];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

export function TaggerFields({ taggers, chosen, onChange }: TaggerFieldsProps) {
  return (
    <fieldset className={styles["people"]}>
      <legend className={styles["legend"]}>Who tags (nobody named: every lead and adjudicator)</legend>
      {taggers.map(({ id, name }) => (
        <Checkbox
          key={id}
          label={name}
          checked={chosen.includes(id)}
          onChange={(event) =>
            onChange(event.target.checked ? [...chosen, id] : chosen.filter((other) => other !== id))
          }
        />
      ))}
    </fieldset>
  );
}
