/** Edits the ordered rules: which runs, and what their verdicts must say. */
import type { Policy } from "../../api/contract";
import { Checkbox, Select } from "../../components/field";
import { OrderedItems } from "../../components/ordered-items";
import { type Condition, type RuleDraft, toggled } from "./draft";
import styles from "./prejudging.module.css";
import { runWords, tellApart } from "./words";

const NEW_RULE: RuleDraft = { runs: [], condition: "any_accepts" };

interface RuleEditorProps {
  readonly policy: Policy;
  readonly rules: readonly RuleDraft[];
  /** Whether what lacks is to be said. */
  readonly isTried: boolean;
  readonly onChange: (rules: readonly RuleDraft[]) => void;
}

export function RuleEditor({ policy, rules, isTried, onChange }: RuleEditorProps) {
  return (
    <OrderedItems
      items={rules}
      noun="rule"
      addition={{ words: "Add a rule", item: NEW_RULE }}
      onChange={onChange}
    >
      {(rule, place, change) => (
        <RuleFields
          policy={policy}
          rule={rule}
          place={place}
          lacksJudge={isTried && rule.runs.length === 0}
          onChange={change}
        />
      )}
    </OrderedItems>
  );
}

interface RuleFieldsProps {
  readonly policy: Policy;
  readonly rule: RuleDraft;
  readonly place: number;
  readonly lacksJudge: boolean;
  readonly onChange: (changes: Partial<RuleDraft>) => void;
}

function RuleFields({ policy, rule, place, lacksJudge, onChange }: RuleFieldsProps) {
  return (
    <>
      <fieldset className={styles["runs"]}>
        <legend>Rule {place + 1}: of these judges</legend>
        {policy.runs.map((run) => (
          <Checkbox
            key={run.id}
            label={runWords(run)}
            hint={tellApart(run, policy.runs)}
            title={run.signature}
            checked={rule.runs.includes(run.id)}
            onChange={() => onChange({ runs: toggled(rule.runs, run.id) })}
          />
        ))}
        {lacksJudge && (
          <p className={styles["lacks"]} role="alert">
            Choose at least one judge, or remove rule {place + 1}.
          </p>
        )}
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
