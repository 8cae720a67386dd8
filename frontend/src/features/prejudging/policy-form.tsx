/** The rules in their order, the share sampled for raters, and what all that would do before it is done. */
import { useState } from "react";
import { keyOf, post, put } from "../../api/client";
import type { CalibrationState, Policy, PolicyPreview } from "../../api/schema";
import { Button } from "../../components/button";
import { FormDialog } from "../../components/dialog";
import { Choice, optionsOf, Refusal, Several, TextField } from "../../components/form";
import { Entry, EntryHead, EntryList } from "../../components/list";
import { Notice } from "../../components/notice";
import { OrderedItems } from "../../components/ordered-items";
import { ProjectButtonLink } from "../../components/project-link";
import { explained } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { AnswerCell } from "../../domain/answer";
import { AwaitingState } from "../../domain/first-step";
import { LabelMark } from "../../domain/labels";
import { countOf, formatCount } from "../../lib/numbers";
import { AuditShares } from "./audit-shares";
import styles from "./prejudging.module.css";
import {
  draftOf,
  firstDraft,
  isAlone,
  isComplete,
  isShare,
  requestOf,
  type PolicyDraft,
  type RuleDraft,
  USUALLY_SURE,
} from "./draft";
import { ExpectedScores } from "./expected-scores";
import { forgetPolicy, useKeptPolicy } from "./kept-policy";
import { RuleCertificate } from "./rule-certificate";
import {
  appliesWords,
  AUDIT_HINT,
  auditBuysWords,
  BESIDE_PEOPLE_PROMISE,
  besidePeopleWords,
  conditionOptions,
  goldWords,
  HOW_TO_UNDO,
  isSavedOnly,
  isSureness,
  NOT_APPLIED,
  previewWords,
  runWords,
  sureHint,
  tellApart,
} from "./words";

interface PolicyFormProps {
  readonly slug: string;
  readonly policy: Policy;
  /** Undefined while it is on its way. */
  readonly calibration: CalibrationState | undefined;
}

export function PolicyForm({ slug, policy, calibration }: PolicyFormProps) {
  const kept = useKeptPolicy(slug, policy);
  const { rules, percent } = kept.draft;
  const request = requestOf(rules, percent);
  const [isTried, setTried] = useState(false);
  const [isAsking, setAsking] = useState(false);
  const [sample, setSample] = useState(1);
  const isUsable = rules.every(isComplete) && isShare(percent);
  const preview = useWrite((sample: number) =>
    post("/api/projects/{slug}/prejudging/preview", { slug }, { ...request, sample }),
  );
  const apply = useWrite(
    async () => {
      await put("/api/projects/{slug}/prejudging", { slug }, request);
      return post("/api/projects/{slug}/prejudging/apply", { slug });
    },
    {
      note: "Policy applied. People also judge a random share of the answers, which shows how often they disagree with the rules.",
      stale: [keyOf("/api/projects/{slug}", { slug })],
      onDone: () => {
        forgetPolicy(slug);
        setAsking(false);
      },
    },
  );
  const change = (next: PolicyDraft) => {
    kept.change(next);
    preview.reset();
    apply.reset();
  };
  if (policy.runs.length === 0) return <NoRuns />;
  return (
    <div className={styles["form"]}>
      <p className="soft">
        The first rule that matches an answer settles it. Annotators judge all other answers, as well as any
        answer that an annotator has already started to judge.
      </p>
      {kept.isChanged && (
        <Notice
          actions={
            <Button size="small" onClick={() => change(draftOf(policy))}>
              Discard changes
            </Button>
          }
        >
          <p>{NOT_APPLIED}</p>
        </Notice>
      )}
      {!kept.isChanged && isSavedOnly(policy) && (
        <Notice tone="info">These rules are saved but not active. Apply them to settle answers.</Notice>
      )}
      <RuleEditor
        slug={slug}
        calibration={calibration}
        policy={policy}
        rules={rules}
        isTried={isTried}
        onChange={(rules) => change({ rules, percent })}
      />
      <div className={styles["share"]}>
        <TextField
          label="Audit share (%)"
          explains={explained("audit-share")}
          hint={AUDIT_HINT}
          inputMode="decimal"
          value={percent}
          error={isTried && !isShare(percent) ? "Enter a number from 0 to 100." : null}
          onChange={(percent) => change({ rules, percent })}
        />
      </div>
      {preview.data && (
        <PreviewNotice
          slug={slug}
          preview={preview.data}
          chosen={request.audit_share ?? policy.audit_share}
          onOthers={() => {
            setSample(sample + 1);
            preview.mutate(sample + 1);
          }}
        />
      )}
      <Refusal error={preview.error} />
      <div className="row">
        <Button
          busy={preview.isPending}
          onClick={() => {
            setTried(true);
            if (isUsable) preview.mutate(sample);
          }}
        >
          Preview
        </Button>
        <Button variant="primary" disabled={preview.data === undefined} onClick={() => setAsking(true)}>
          Save and apply
        </Button>
      </div>
      {preview.data === undefined && <p className="soft">Preview the policy before you apply it.</p>}
      {isAsking && preview.data && (
        <FormDialog
          title="Apply this policy?"
          action="Apply policy"
          write={apply}
          onSubmit={() => apply.mutate()}
          onClose={() => setAsking(false)}
        >
          <p>{appliesWords(preview.data)}</p>
          <p>{HOW_TO_UNDO}</p>
        </FormDialog>
      )}
    </div>
  );
}

function NoRuns() {
  return (
    <AwaitingState
      then="Then start a judge."
      title="Rules need verdicts"
      action={<ProjectButtonLink page="runs/new">Start a judge</ProjectButtonLink>}
    >
      <p>Start a judge first. Rules can then settle answers based on its verdicts.</p>
    </AwaitingState>
  );
}

interface PreviewNoticeProps {
  readonly slug: string;
  readonly preview: PolicyPreview;
  /** The audit share that was previewed, 0 to 1. */
  readonly chosen: number;
  /** Shows other answers, drawn anew. */
  readonly onOthers: () => void;
}

function PreviewNotice({ slug, preview, chosen, onOthers }: PreviewNoticeProps) {
  const isUnaudited = preview.decided > 0 && preview.drawn === 0;
  return (
    <Notice
      tone={isUnaudited ? "warning" : "info"}
      title={`Of ${countOf(preview.open, "open answer")}, ${previewWords(preview)}.`}
    >
      {isUnaudited && (
        <p>
          <strong>Unaudited:</strong> the audit has no answers, so you can neither measure the error rate of
          the rules nor correct the scores. Increase the audit share.
        </p>
      )}
      <ExpectedScores preview={preview} chosen={chosen} />
      <AuditShares slug={slug} preview={preview} chosen={chosen} />
      {preview.drawn > 0 && (
        <details>
          <summary>Precision of the rules’ error rate</summary>
          <p>{auditBuysWords(preview)}</p>
        </details>
      )}
      {preview.accepted > 0 && <p>{goldWords(preview)}</p>}
      <p>{BESIDE_PEOPLE_PROMISE}</p>
      {preview.rules.map((rule) => (
        <section key={rule.number} className={styles["tried"]}>
          <h3>
            Rule {rule.number}: {countOf(rule.decided, "answer")} settled, {formatCount(rule.drawn)} sampled
            for the audit
          </h3>
          <p>{besidePeopleWords(rule.beside_people)}</p>
          {rule.sample.length > 0 && <SampleOfRule rule={rule} onOthers={onOthers} />}
        </section>
      ))}
    </Notice>
  );
}

interface SampleOfRuleProps {
  readonly rule: PolicyPreview["rules"][number];
  readonly onOthers: () => void;
}

function SampleOfRule({ rule, onOthers }: SampleOfRuleProps) {
  const settled = rule.decided + rule.drawn;
  const all = settled <= rule.sample.length;
  return (
    <details>
      <summary>
        {all
          ? `All ${countOf(settled, "answer")}`
          : `Random sample of ${countOf(rule.sample.length, "answer")}`}
        <span className="visually-hidden"> for rule {rule.number}</span>
      </summary>
      <EntryList>
        {rule.sample.map((answer) => (
          <Entry key={answer.id}>
            <EntryHead>
              <LabelMark label={answer.label} />
              <AnswerCell id={answer.id} answer={answer.answer} question={answer.question} />
            </EntryHead>
          </Entry>
        ))}
      </EntryList>
      {!all && (
        <Button size="small" variant="quiet" onClick={onOthers}>
          Show another sample
        </Button>
      )}
    </details>
  );
}

const CERTIFYING_FINDS_IT = "Certifying the rule replaces this value.";
const ALONE =
  "A single judge can settle some answers as correct and others as incorrect only with a minimum confidence. Choose “Use only confident verdicts” if the judge reports its confidence, or choose a second judge or another condition.";
interface RuleEditorProps extends PolicyFormProps {
  readonly rules: readonly RuleDraft[];
  /** Whether what lacks is to be said. */
  readonly isTried: boolean;
  readonly onChange: (rules: readonly RuleDraft[]) => void;
}

function RuleEditor({ slug, calibration, policy, rules, isTried, onChange }: RuleEditorProps) {
  return (
    <OrderedItems
      items={rules}
      noun="rule"
      addition={{ words: "Add a rule", item: firstDraft(policy) }}
      onChange={onChange}
    >
      {(rule, place, change) => (
        <>
          <RuleFields
            policy={policy}
            rule={rule}
            place={place}
            isTried={isTried}
            onChange={(changes) => change({ certificate: "", ...changes })}
          />
          <RuleCertificate
            slug={slug}
            rules={rules}
            place={place}
            calibration={calibration}
            onChange={(certificate) => change({ certificate })}
          />
        </>
      )}
    </OrderedItems>
  );
}

interface RuleFieldsProps {
  readonly policy: Policy;
  readonly rule: RuleDraft;
  readonly place: number;
  readonly isTried: boolean;
  readonly onChange: (changes: Partial<RuleDraft>) => void;
}

function RuleFields({ policy, rule, place, isTried, onChange }: RuleFieldsProps) {
  return (
    <>
      <Several
        legend={`Rule ${place + 1}: judges`}
        options={policy.runs.map((run) => {
          const hint = tellApart(run, policy.runs);
          return { value: run.id, name: runWords(run), hint, title: run.signature };
        })}
        chosen={rule.runs}
        onChange={(runs) => onChange({ runs })}
      >
        {isTried && rule.runs.length === 0 && (
          <p className={styles["lacks"]} role="alert">
            Choose at least one judge, or remove rule {place + 1}.
          </p>
        )}
      </Several>
      <Choice
        label={`Rule ${place + 1}: condition`}
        hideLabel
        value={rule.condition}
        options={conditionOptions(policy.conditions, rule)}
        onChange={(condition) => onChange({ condition })}
      />
      {isAlone(rule) && (
        <p className={styles["lacks"]} role="alert">
          {ALONE}
        </p>
      )}
      <SureFields policy={policy} rule={rule} place={place} isTried={isTried} onChange={onChange} />
    </>
  );
}

/** By what a rule reads its judges: what they say, or that they are sure enough of it. */
function SureFields({ policy, rule, place, isTried, onChange }: RuleFieldsProps) {
  const chosen = policy.runs.filter(({ id }) => rule.runs.includes(id));
  const silent = chosen.find(({ sureness }) => sureness === "none");
  if (silent !== undefined && rule.sure === null) return null;
  const isWrong = rule.sure !== null && !isSureness(rule.sure);
  return (
    <>
      <Choice
        label={`Rule ${place + 1}: verdicts`}
        hideLabel
        value={rule.sure === null ? "verdict" : "sure"}
        options={optionsOf({ verdict: "Use every verdict", sure: "Use only confident verdicts" })}
        onChange={(by) => onChange({ sure: by === "sure" ? USUALLY_SURE : null })}
      />
      {rule.sure !== null && !rule.certificate && (
        <div className={styles["share"]}>
          <TextField
            label={`Rule ${place + 1}: minimum confidence (%)`}
            hint={`${sureHint(chosen)} ${CERTIFYING_FINDS_IT}`}
            inputMode="decimal"
            value={rule.sure}
            error={isTried && isWrong ? "Enter a number from 50 to 100." : null}
            onChange={(sure) => onChange({ sure })}
          />
        </div>
      )}
    </>
  );
}
