/** Edits the ordered rules: which runs, and what their verdicts must say. */
import type { Policy } from "../../api/contract";
import { Button } from "../../components/button";
import { Checkbox, Select } from "../../components/field";
import { countOf } from "../../lib/numbers";
import { type Condition, moved, type RuleDraft, toggled } from "./draft";
import styles from "./prejudging.module.css";

interface RuleEditorProps {
  readonly policy: Policy;
  readonly rules: readonly RuleDraft[];
  readonly onChange: (rules: readonly RuleDraft[]) => void;
}

export function RuleEditor({ policy, rules, onChange }: RuleEditorProps) {
  const put = (place: number, changes: Partial<RuleDraft>) =>
    onChange(rules.map((rule, index) => (index === place ? { ...rule, ...changes } : rule)));
  return (
    <>
      <ol className={styles["editor"]}>
        {rules.map((rule, place) => (
          <li key={place} className={styles["rule"]}>
            <RuleFields
              policy={policy}
              rule={rule}
              place={place}
              onChange={(changes) => put(place, changes)}
            />
            <div className={styles["actions"]}>
              <Button size="small" disabled={place === 0} onClick={() => onChange(moved(rules, place, -1))}>
                Up<span className="visually-hidden">, rule {place + 1}</span>
              </Button>
              <Button
                size="small"
                disabled={place === rules.length - 1}
                onClick={() => onChange(moved(rules, place, 1))}
              >
                Down<span className="visually-hidden">, rule {place + 1}</span>
              </Button>
              <Button
                size="small"
                variant="quiet"
                onClick={() => onChange(rules.filter((_, index) => index !== place))}
              >
                Remove<span className="visually-hidden"> rule {place + 1}</span>
              </Button>
            </div>
          </li>
        ))}
      </ol>
      <div>
        <Button size="small" onClick={() => onChange([...rules, { runs: [], condition: "any_accepts" }])}>
          Add a rule
        </Button>
      </div>
    </>
  );
}

interface RuleFieldsProps {
  readonly policy: Policy;
  readonly rule: RuleDraft;
  readonly place: number;
  readonly onChange: (changes: Partial<RuleDraft>) => void;
}

function RuleFields({ policy, rule, place, onChange }: RuleFieldsProps) {
  return (
    <>
      <fieldset className={styles["runs"]}>
        <legend>Rule {place + 1}: of these judges</legend>
        {policy.runs.map((run) => (
          <Checkbox
            key={run.id}
            label={`${run.name} (${countOf(run.judged, "verdict")})`}
            title={run.signature}
            checked={rule.runs.includes(run.id)}
            onChange={() => onChange({ runs: toggled(rule.runs, run.id) })}
          />
        ))}
      </fieldset>
      <Select
        label={`Rule ${place + 1} settles an answer when`}
        hideLabel
        value={rule.condition}
        onChange={(event) => onChange({ condition: event.target.value as Condition })}
      >
        {policy.conditions.map((condition) => (
          <option key={condition.key} value={condition.key}>
            {condition.name}
          </option>
        ))}
      </Select>
    </>
  );
}
