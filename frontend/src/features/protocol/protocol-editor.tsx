/** Edits the protocol; says what a change would mean for work done before it is kept. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ask, kept, keyOf, post, put } from "../../api/client";
import type { Preset, Protocol, ProtocolChange } from "../../api/schema";
import { fieldMessage } from "../../api/error";
import { Button } from "../../components/button";
import {
  Checkbox,
  Choice,
  FieldRow,
  Form,
  FormError,
  optionsOf,
  Several,
  Refusal,
  TextArea,
  TextField,
} from "../../components/form";
import { Markdown } from "../../components/markdown";
import { Notice } from "../../components/notice";
import { OrderedItems } from "../../components/ordered-items";
import { Section } from "../../components/page";
import { useWrite } from "../../components/use-write";
import {
  type Change,
  type CheckDraft,
  type Credit,
  CREDIT_WORDS,
  CREDITS,
  DECISION_HINTS,
  DECISION_WORDS,
  type LabelDraft,
  LABELS_THAT,
  numberFrom,
  type ProtocolDraft,
  specOf,
  TIE_BREAK_WORDS,
} from "./draft";
import styles from "./protocol.module.css";

interface ProtocolEditorProps {
  readonly slug: string;
  readonly version: Protocol;
  readonly presets: readonly Preset[];
}

/** What each part of the form is told. */
interface PartProps {
  readonly draft: ProtocolDraft;
  readonly error: Error | null;
  readonly change: Change;
}

function useChange({ slug, version }: ProtocolEditorProps) {
  const [draft, setDraft] = useState<ProtocolDraft>(() => version.spec);
  const foresee = useWrite(() =>
    post("/api/projects/{slug}/protocol/foresee", { slug }, { spec: specOf(draft) }),
  );
  const keep = useWrite(
    () =>
      put(
        "/api/projects/{slug}/protocol",
        { slug },
        { spec: specOf(draft), seen_hash: version.content_hash },
      ),
    {
      note: (kept) => `Version ${kept.number} of the protocol is published.`,
      stale: [keyOf("/api/projects/{slug}", { slug })],
    },
  );
  return {
    draft,
    foresee,
    keep,
    error: keep.error ?? foresee.error,

    replace: (next: ProtocolDraft) => {
      setDraft(next);
      foresee.reset();
      keep.reset();
    },
  };
}

export function ProtocolEditor(props: ProtocolEditorProps) {
  const { draft, error, foresee, keep, replace } = useChange(props);
  const change = (part: Partial<ProtocolDraft>) => replace({ ...draft, ...part });
  const common = { draft, error, change };
  return (
    <Form onSubmit={() => foresee.mutate()}>
      <StartChoice presets={props.presets} version={props.version} onChoose={replace} />
      <Section title="Labels">
        <LabelFields {...common} />
      </Section>
      <Section title="Raters and decision">
        <div className={styles["limit"]}>
          <RaterFields {...common} />
        </div>
      </Section>
      <Section title="Asked about the question">
        <CheckFields {...common} />
      </Section>
      <Section title="Gold answers">
        <GoldFields {...common} />
      </Section>
      <Section title="Evidence and comments">
        <RequirementFields {...common} />
      </Section>
      <Section title="Sheets">
        <SheetFields {...common} />
      </Section>
      <Section title="Guidelines">
        <GuidelineFields
          slug={props.slug}
          text={draft.guidelines}
          onChange={(guidelines) => change({ guidelines })}
        />
      </Section>
      <Section title="Publish">
        <Refusal error={error} />
        {foresee.data ? (
          <ChangeNotice change={foresee.data} busy={keep.isPending} onKeep={() => keep.mutate()} />
        ) : (
          <p className="soft">See what the change means for existing work. Nothing is saved yet.</p>
        )}
        <div className="row">
          <Button type="submit" busy={foresee.isPending}>
            Preview changes
          </Button>
        </div>
      </Section>
    </Form>
  );
}

interface StartChoiceProps {
  readonly presets: readonly Preset[];
  readonly version: Protocol;
  readonly onChoose: (draft: ProtocolDraft) => void;
}

function StartChoice({ presets, version, onChoose }: StartChoiceProps) {
  const [chosen, setChosen] = useState("");
  const choose = (key: string) => {
    setChosen(key);
    onChoose(presets.find((preset) => preset.key === key)?.spec ?? version.spec);
  };
  return (
    <div className={styles["start"]}>
      <Choice
        label="Start from"
        hint="Fills in everything below. Nothing changes until you publish."
        value={chosen}
        options={presets.map((preset) => ({ value: preset.key, name: preset.name }))}
        onChange={choose}
        empty={`The current protocol, version ${version.number}`}
      />
    </div>
  );
}

interface ChangeNoticeProps {
  readonly change: ProtocolChange;
  readonly busy: boolean;
  readonly onKeep: () => void;
}

function ChangeNotice({ change, busy, onKeep }: ChangeNoticeProps) {
  if (change.is_same) return <Notice>This is the current protocol. There is nothing to publish.</Notice>;
  return (
    <div role="status">
      <Notice
        title={`What version ${change.number} means`}
        actions={
          <Button variant="primary" busy={busy} onClick={onKeep}>
            Publish version {change.number}
          </Button>
        }
      >
        <ul className={styles["effects"]}>
          {change.effects.map((effect) => (
            <li key={effect}>{effect}</li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}

interface GuidelineFieldsProps {
  readonly slug: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
}

function GuidelineFields({ slug, text, onChange }: GuidelineFieldsProps) {
  const settled = useSettled(text);
  const preview = useQuery({
    ...kept(ask("/api/projects/{slug}/protocol/guidelines-preview", { slug }, { text: settled })),
    staleTime: Infinity,
  });
  return (
    <div className={styles["guidelines"]}>
      <TextArea
        label="Guidelines (Markdown)"
        hint="Raters have them beside their work, and see them once after a change."
        className={styles["writing"] ?? ""}
        rows={18}
        dir="auto"
        value={text}
        onChange={onChange}
      />
      <section aria-label="As raters see them" className={styles["preview"]}>
        <h3 className="soft">As raters see them</h3>
        {preview.data === undefined || preview.data.html === "" ? (
          <p className="soft">What you write appears here.</p>
        ) : (
          <Markdown html={preview.data.html} />
        )}
      </section>
    </div>
  );
}

const MOST_LABELS = 5;
const FEWEST_LABELS = 2;
const NEW_LABEL: LabelDraft = { key: "", name: "", credit: "missing" };

function LabelFields({ draft, error, change }: PartProps) {
  return (
    <>
      <p className="soft">A label’s position is its number key.</p>
      <OrderedItems
        items={draft.labels}
        noun="label"
        addition={{ words: "Add a label", item: NEW_LABEL }}
        fewest={FEWEST_LABELS}
        most={MOST_LABELS}
        error={fieldMessage(error, "labels")}
        onChange={(next) => change({ labels: next })}
      >
        {(label, place, keep) => <LabelRow label={label} place={place} error={error} keep={keep} />}
      </OrderedItems>
    </>
  );
}

interface LabelRowProps {
  readonly label: LabelDraft;
  readonly place: number;
  readonly error: Error | null;
  readonly keep: (part: Partial<LabelDraft>) => void;
}

function LabelRow({ label, place, error, keep }: LabelRowProps) {
  return (
    <FieldRow>
      <TextField
        label={`Label ${place + 1}`}
        maxLength={60}
        error={fieldMessage(error, `labels.${place}.name`)}
        value={label.name}
        onChange={(name) => keep({ name })}
      />
      <Choice
        label={`Meaning of label ${place + 1}`}
        error={fieldMessage(error, `labels.${place}.credit`)}
        value={label.credit}
        options={CREDITS.map((credit) => ({ value: credit, name: CREDIT_WORDS[credit] }))}
        onChange={(credit) => keep({ credit })}
      />
    </FieldRow>
  );
}

const MOST_CHECKS = 5;
const NEW_CHECK: CheckDraft = { key: "", text: "", rule: "any", at_least: 2, skips_answers: false };

function CheckFields({ draft, error, change }: PartProps) {
  const checks = draft.question_checks;
  return (
    <>
      {checks.length === 0 && <p className="soft">Nothing: raters judge the answers alone.</p>}
      <OrderedItems
        items={checks}
        noun="question"
        addition={{ words: "Ask something about the question", item: NEW_CHECK }}
        most={MOST_CHECKS}
        error={fieldMessage(error, "question_checks")}
        onChange={(next) => change({ question_checks: next })}
      >
        {(check, place, keep) => <CheckRow check={check} place={place} error={error} keep={keep} />}
      </OrderedItems>
      {checks.length > 0 && (
        <Checkbox
          label="Show the answers only once this is answered"
          hint="So that the answers do not change how the question is seen."
          checked={draft.checks_first}
          onChange={(isOn) => change({ checks_first: isOn })}
        />
      )}
    </>
  );
}

interface CheckRowProps {
  readonly check: CheckDraft;
  readonly place: number;
  readonly error: Error | null;
  readonly keep: (part: Partial<CheckDraft>) => void;
}

function CheckRow({ check, place, error, keep }: CheckRowProps) {
  const complaint = (field: string) => fieldMessage(error, `question_checks.${place}.${field}`);
  return (
    <>
      <TextField
        label={`Question ${place + 1}, to be answered with yes or no`}
        maxLength={300}
        error={complaint("text")}
        value={check.text}
        onChange={(text) => keep({ text })}
      />
      <FieldRow>
        <Choice
          label={`Question ${place + 1} counts as answered yes when`}
          value={check.rule}
          options={optionsOf({ any: "any rater says so", at_least: "enough raters say so" })}
          onChange={(rule) => keep({ rule })}
        />
        {check.rule === "at_least" && (
          <TextField
            label={`Raters who must say yes to question ${place + 1}`}
            type="number"
            min={1}
            max={9}
            error={complaint("at_least")}
            value={check.at_least}
            onChange={(value) => keep({ at_least: numberFrom(value) })}
          />
        )}
      </FieldRow>
      <Checkbox
        label={`A yes to question ${place + 1} skips the rest`}
        hint="Nothing else is asked of this rater, and the question leaves every score when enough say yes."
        checked={check.skips_answers}
        onChange={(isOn) => keep({ skips_answers: isOn })}
      />
    </>
  );
}

function RequirementFields({ draft, change }: PartProps) {
  return (
    <>
      <CreditChoice
        legend="Evidence (a web address or a quote) is required for labels that mean"
        name="evidence"
        draft={draft}
        chosen={draft.evidence_required_for}
        onChange={(evidence_required_for) => change({ evidence_required_for })}
      />
      <CreditChoice
        legend="A comment is required for labels that mean"
        name="comment"
        draft={draft}
        chosen={draft.comment_required_for}
        onChange={(comment_required_for) => change({ comment_required_for })}
      />
    </>
  );
}

interface CreditChoiceProps {
  readonly legend: string;
  readonly name: string;
  readonly draft: ProtocolDraft;
  readonly chosen: readonly Credit[];
  readonly onChange: (chosen: readonly Credit[]) => void;
}

function CreditChoice({ legend, name, draft, chosen, onChange }: CreditChoiceProps) {
  const worths = CREDITS.filter((credit) => draft.labels.some((label) => label.credit === credit));
  return (
    <Several
      legend={legend}
      options={worths.map((credit) => {
        const words = LABELS_THAT[credit];
        return { value: credit, name: words, "aria-label": `${words}: ${name}` };
      })}
      chosen={chosen}
      onChange={(next) => onChange(CREDITS.filter((credit) => next.includes(credit)))}
    />
  );
}

function SheetFields({ draft, error, change }: PartProps) {
  const complaint = fieldMessage(error, "pool_within_groups");
  return (
    <>
      <div className={styles["short"]}>
        <TextField
          label="Maximum answers per sheet"
          type="number"
          min={1}
          max={20}
          error={fieldMessage(error, "sheet_size")}
          value={draft.sheet_size}
          onChange={(value) => change({ sheet_size: numberFrom(value) })}
        />
      </div>
      <Checkbox
        label="Fill up sheets that break a tie"
        hint="With settled answers that do not count again, so that the rater cannot tell."
        checked={draft.fill_tie_break_sheets}
        onChange={(isOn) => change({ fill_tie_break_sheets: isOn })}
      />
      <Checkbox
        label="Each rater judges one group of systems"
        hint="Equal answers are one within a group only. To be chosen before answers come in."
        checked={draft.pool_within_groups}
        onChange={(isOn) => change({ pool_within_groups: isOn })}
      />
      {complaint && <FormError>{complaint}</FormError>}
      <Checkbox
        label="Raters may read how a person decided answers they had judged"
        checked={draft.decisions_shown}
        onChange={(isOn) => change({ decisions_shown: isOn })}
      />
      <Checkbox
        label="Adjudicators see which system gave an answer (leads always can)"
        checked={draft.adjudication_unblinded}
        onChange={(isOn) => change({ adjudication_unblinded: isOn })}
      />
    </>
  );
}

function RaterFields({ draft, error, change }: PartProps) {
  return (
    <>
      <FieldRow>
        <TextField
          label="Raters per answer"
          type="number"
          min={1}
          max={9}
          error={fieldMessage(error, "raters_per_answer")}
          value={draft.raters_per_answer}
          onChange={(value) => change({ raters_per_answer: numberFrom(value) })}
        />
        <Choice
          label="Decision rule"
          hint={DECISION_HINTS[draft.decision_rule]}
          error={fieldMessage(error, "decision_rule")}
          value={draft.decision_rule}
          options={optionsOf(DECISION_WORDS)}
          onChange={(decision_rule) => change({ decision_rule })}
        />
      </FieldRow>
      {draft.decision_rule === "majority" && <TieBreakFields {...{ draft, error, change }} />}
    </>
  );
}

function TieBreakFields({ draft, error, change }: PartProps) {
  return (
    <>
      <Choice
        label="If raters disagree"
        error={fieldMessage(error, "tie_break")}
        value={draft.tie_break}
        options={optionsOf(TIE_BREAK_WORDS)}
        onChange={(tie_break) => change({ tie_break })}
      />
      {draft.tie_break === "more_raters" && (
        <TextField
          label="Maximum number of raters"
          type="number"
          min={2}
          max={9}
          hint="After the last of them the lead decides."
          error={fieldMessage(error, "most_raters")}
          value={draft.most_raters}
          onChange={(value) => change({ most_raters: numberFrom(value) })}
        />
      )}
    </>
  );
}

function GoldFields({ draft, error, change }: PartProps) {
  const complaint = fieldMessage(error, "gold_among_answers");
  return (
    <>
      <Checkbox
        label="Raters see the gold answers"
        checked={draft.gold_shown}
        onChange={(isOn) => change({ gold_shown: isOn })}
      />
      <Checkbox
        label="Answers that equal a gold answer count as correct without being judged"
        hint="Equal but for case, punctuation and articles, as in SQuAD. Taking this back gives all of them to raters."
        checked={draft.gold_equal === "correct"}
        onChange={(isOn) => change({ gold_equal: isOn ? "correct" : "judged" })}
      />
      <Checkbox
        label="Gold answers are judged among the answers"
        hint="Raters cannot tell them apart. The gold page says how many people reject; no system’s score has them."
        checked={draft.gold_among_answers}
        onChange={(isOn) => change({ gold_among_answers: isOn })}
      />
      {complaint && <FormError>{complaint}</FormError>}
    </>
  );
}

const PAUSE_MS = 250;

function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
