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
import { untestableWords } from "../../domain/rater-test";
import { OrderedItems } from "../../components/ordered-items";
import { Section } from "../../components/page";
import { explained, Term } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { classNames } from "../../lib/class-names";
import { useSearchState } from "../../lib/search-state";
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
  PASSAGE_HINTS,
  PASSAGE_WORDS,
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
      note: (kept) => `Published version ${kept.number} of the protocol.`,
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

/** Brings the field that the address names into sight, as where another page leads to change it. */
function useFieldInSight() {
  const { read, write } = useSearchState();
  const field = read("field");
  useEffect(() => {
    if (field === undefined) return;
    // After the page has been scrolled to where a new page begins.
    const timer = setTimeout(() => {
      const found = document.getElementById(fieldId(field));
      found?.scrollIntoView({ block: "center" });
      found?.focus({ preventScroll: true });
      write({ field: undefined });
    });
    return () => clearTimeout(timer);
  }, [field, write]);
}

function fieldId(name: string): string {
  return `protocol-${name}`;
}

export function ProtocolEditor(props: ProtocolEditorProps) {
  const { draft, error, foresee, keep, replace } = useChange(props);
  useFieldInSight();
  const change = (part: Partial<ProtocolDraft>) => replace({ ...draft, ...part });
  const common = { draft, error, change };
  return (
    <Form onSubmit={() => foresee.mutate()}>
      <StartChoice presets={props.presets} version={props.version} onChoose={replace} />
      <Section title={<Term name="label">Labels</Term>}>
        <LabelFields {...common} />
      </Section>
      <Section title="Annotators and decision rule">
        <div className={styles["limit"]}>
          <RaterFields {...common} />
        </div>
      </Section>
      <Section title={<Term name="check">Question checks</Term>}>
        <CheckFields {...common} />
      </Section>
      <Section title={<Term name="gold-answer">Gold answers</Term>}>
        <GoldFields {...common} />
      </Section>
      <Section title={<Term name="passage">Passages</Term>}>
        <PassageFields {...common} />
      </Section>
      <Section
        title={
          <>
            <Term name="evidence">Evidence</Term> and comments
          </>
        }
      >
        <RequirementFields {...common} />
      </Section>
      <Section title={<Term name="sheet">Sheets</Term>}>
        <SheetFields {...common} />
      </Section>
      <Section title={<Term name="guidelines">Guidelines</Term>}>
        <GuidelineFields
          slug={props.slug}
          text={draft.guidelines}
          onChange={(guidelines) => change({ guidelines })}
        />
      </Section>
      <div className={draft === props.version.spec ? "fields" : classNames("fields", styles["bar"])}>
        <Refusal error={error} />
        {foresee.data ? (
          <ChangeNotice change={foresee.data} busy={keep.isPending} onKeep={() => keep.mutate()} />
        ) : (
          <div className="row-centered">
            <Button type="submit" variant="primary" busy={foresee.isPending}>
              Preview changes
            </Button>
            <p className="soft-regular">Nothing is saved until you publish.</p>
          </div>
        )}
      </div>
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
        explains={explained("preset")}
        hint="Replaces all settings below. Nothing changes until you publish."
        value={chosen}
        options={presets.map((preset) => ({ value: preset.key, name: preset.name }))}
        onChange={choose}
        empty={`Current protocol (version ${version.number})`}
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
  if (change.is_same)
    return <Notice>No changes to publish. These settings match the current protocol.</Notice>;
  return (
    <div role="status">
      <Notice
        title={`Effects of version ${change.number}`}
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
        hint="Annotators see the guidelines beside their work. After a change, they must read them once before they continue."
        className={styles["writing"] ?? ""}
        rows={18}
        dir="auto"
        value={text}
        onChange={onChange}
      />
      <section aria-label="Preview" className={styles["preview"]}>
        <h3 className="soft">Preview</h3>
        {preview.data === undefined || preview.data.html === "" ? (
          <p className="soft">Your guidelines appear here as annotators see them.</p>
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
      <p className="soft">Annotators can choose a label by pressing its number.</p>
      <OrderedItems
        items={draft.labels}
        noun="label"
        addition={{ words: "Add label", item: NEW_LABEL }}
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
/** By its key the server knows what the check is about. */
const ATTRIBUTABLE: CheckDraft = {
  ...NEW_CHECK,
  key: "attributable",
  text: "Do the passages contain the answer to the question?",
};

function CheckFields({ draft, error, change }: PartProps) {
  const checks = draft.question_checks;
  return (
    <>
      {checks.length === 0 && <p className="soft">No checks. Annotators judge only the answers.</p>}
      <OrderedItems
        items={checks}
        noun="check"
        addition={{ words: "Add question check", item: NEW_CHECK }}
        most={MOST_CHECKS}
        error={fieldMessage(error, "question_checks")}
        onChange={(next) => change({ question_checks: next })}
      >
        {(check, place, keep) => <CheckRow check={check} place={place} error={error} keep={keep} />}
      </OrderedItems>
      {draft.passages_shown !== "none" && !checks.some(({ key }) => key === ATTRIBUTABLE.key) && (
        <p>
          <Button
            size="small"
            disabled={checks.length >= MOST_CHECKS}
            onClick={() => change({ question_checks: [...checks, ATTRIBUTABLE] })}
          >
            Ask whether the passages contain the answer
          </Button>
        </p>
      )}
      {checks.length > 0 && (
        <Checkbox
          label="Show answers only after annotators complete the checks"
          hint="This keeps the answers from influencing the checks."
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
        label={`Check ${place + 1} (yes-or-no question)`}
        maxLength={300}
        error={complaint("text")}
        value={check.text}
        onChange={(text) => keep({ text })}
      />
      <FieldRow>
        <Choice
          label={`Result of check ${place + 1} is yes if`}
          value={check.rule}
          options={optionsOf({ any: "any annotator says yes", at_least: "enough annotators say yes" })}
          onChange={(rule) => keep({ rule })}
        />
        {check.rule === "at_least" && (
          <TextField
            label={`Minimum number of annotators for check ${place + 1}`}
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
        label={`Skip the remaining checks and all answers after a “yes” to check ${place + 1}`}
        hint={
          <>
            An annotator who says yes does not get any answers to judge. If the result is yes, the question is{" "}
            <Term name="improper-question">excluded from all scores</Term>.
          </>
        }
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
        legend="Require evidence (a web address or a quote) for labels that mean"
        name="evidence"
        draft={draft}
        chosen={draft.evidence_required_for}
        onChange={(evidence_required_for) => change({ evidence_required_for })}
      />
      <CreditChoice
        legend="Require a comment for labels that mean"
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
        label="Add decided answers to tie-break sheets"
        hint={
          <>
            The annotator cannot tell which answers are tied. Labels for the added answers{" "}
            <Term name="surplus">do not count</Term>.
          </>
        }
        checked={draft.fill_tie_break_sheets}
        onChange={(isOn) => change({ fill_tie_break_sheets: isOn })}
      />
      <Checkbox
        label="Each annotator judges one group of systems"
        hint={
          <>
            Matching answers are pooled only within a <Term name="group-of-systems">group</Term>. Choose this
            before you import answers.
          </>
        }
        checked={draft.pool_within_groups}
        onChange={(isOn) => change({ pool_within_groups: isOn })}
      />
      {complaint && <FormError>{complaint}</FormError>}
      <Checkbox
        label="Annotators see lead and adjudicator decisions on answers they judged"
        checked={draft.decisions_shown}
        onChange={(isOn) => change({ decisions_shown: isOn })}
      />
      <Checkbox
        label="Adjudicators see which system gave each answer (leads can always show it)"
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
          id={fieldId("raters_per_answer")}
          label="Annotators per answer"
          explains={explained("annotator")}
          type="number"
          min={1}
          max={9}
          error={fieldMessage(error, "raters_per_answer")}
          value={draft.raters_per_answer}
          onChange={(value) => change({ raters_per_answer: numberFrom(value) })}
        />
        <Choice
          label="Decision rule"
          explains={explained("decision-rule")}
          hint={DECISION_HINTS[draft.decision_rule]}
          error={fieldMessage(error, "decision_rule")}
          value={draft.decision_rule}
          options={optionsOf(DECISION_WORDS)}
          onChange={(decision_rule) => change({ decision_rule })}
        />
      </FieldRow>
      {draft.decision_rule === "majority" && <TieBreakFields {...{ draft, error, change }} />}
      <Untestable raters={draft.raters_per_answer} />
    </>
  );
}

/** What later pages cannot say of so few raters, to be known before anybody judges. */
function Untestable({ raters }: { readonly raters: ProtocolDraft["raters_per_answer"] }) {
  const words = untestableWords(raters);
  return (
    words && (
      <Notice tone="info">
        <p>{words}</p>
      </Notice>
    )
  );
}

function TieBreakFields({ draft, error, change }: PartProps) {
  return (
    <>
      <Choice
        id={fieldId("tie_break")}
        label="If annotators disagree"
        explains={explained("tie-break")}
        hint={
          draft.tie_break === "third_rater" &&
          "If no annotator is left to ask, a lead or an adjudicator decides."
        }
        error={fieldMessage(error, "tie_break")}
        value={draft.tie_break}
        options={optionsOf(TIE_BREAK_WORDS)}
        onChange={(tie_break) => change({ tie_break })}
      />
      {draft.tie_break === "more_raters" && (
        <TextField
          label="Maximum annotators per answer"
          type="number"
          min={2}
          max={9}
          hint="If they still disagree, a lead or an adjudicator decides."
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
        label="Annotators see the gold answers"
        checked={draft.gold_shown}
        onChange={(isOn) => change({ gold_shown: isOn })}
      />
      <Checkbox
        id={fieldId("gold_equal")}
        label="Count answers that match a gold answer as correct without judging them"
        hint={
          <>
            <Term name="normalization">Ignores case, punctuation, and articles</Term>, as in SQuAD. If this is
            off, annotators judge all matching answers.
          </>
        }
        checked={draft.gold_equal === "correct"}
        onChange={(isOn) => change({ gold_equal: isOn ? "correct" : "judged" })}
      />
      <Checkbox
        label="Mix gold answers with the answers to judge"
        hint="Annotators cannot tell which answers are gold. The Gold answers page shows how many gold answers annotators reject. Gold answers that are mixed in do not count in any system’s score."
        checked={draft.gold_among_answers}
        onChange={(isOn) => change({ gold_among_answers: isOn })}
      />
      {complaint && <FormError>{complaint}</FormError>}
    </>
  );
}

function PassageFields({ draft, change }: PartProps) {
  return (
    <Choice
      label="Passages that annotators see"
      hint={PASSAGE_HINTS[draft.passages_shown]}
      value={draft.passages_shown}
      options={optionsOf(PASSAGE_WORDS)}
      onChange={(passages_shown) => change({ passages_shown })}
    />
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
