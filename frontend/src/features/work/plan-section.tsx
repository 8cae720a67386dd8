/** The work plan in sentences, each changed where it stands and saved by itself. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { put, read } from "../../api/client";
import { fieldMessage } from "../../api/error";
import type { WorkPlan } from "../../api/schema";
import { Choice, Fields, TextArea } from "../../components/form";
import { Section } from "../../components/page";
import { ProjectButtonLink, useProjectSlug } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { SegmentedControl } from "../../components/segmented-control";
import { raterWords } from "../../domain/protocol";
import { PilotSentence } from "./pilot";
import { bodyOf, draftOf, type PlanChanges, type PlanDraft } from "./plan";
import { firstWords, limitWords, orderWords, sharingEffect, sharingWords } from "./plan-words";
import { LimitTable, PartTable } from "./part-table";
import { QualitySentences } from "./quality-sentences";
import { ChangeableSentence, Sentence } from "./sentence";
import styles from "./work.module.css";

export function PlanSection({ plan }: { readonly plan: WorkPlan }) {
  const slug = useProjectSlug();
  const quality = useQuery(read("/api/projects/{slug}/quality-plan", { slug }));
  return (
    <Section title="Plan">
      <ul className={styles["plan"]}>
        <ProtocolSentence plan={plan} />
        <PlanSentence
          name="Assignment"
          plan={plan}
          words={(draft) => sharingWords(draft, plan)}
          effect={(draft) => sharingEffect(draft, plan)}
        >
          {(part) => <SharingFields plan={plan} {...part} />}
        </PlanSentence>
        <PlanSentence name="Limits" plan={plan} words={(draft) => limitWords(draft, plan)}>
          {(part) => <LimitFields plan={plan} {...part} />}
        </PlanSentence>
        <PlanSentence name="Order" plan={plan} words={orderWords}>
          {(part) => <OrderFields {...part} />}
        </PlanSentence>
        <PlanSentence name="Priority" plan={plan} words={firstWords} field="goes_first">
          {(part) => <FirstFields {...part} />}
        </PlanSentence>
        <PilotSentence slug={slug} />
      </ul>
      <QueryView query={quality}>
        {(checks) => (
          <ul className={styles["plan"]}>
            <QualitySentences slug={slug} checks={checks} plan={plan} />
          </ul>
        )}
      </QueryView>
    </Section>
  );
}

/** Belongs to the protocol, and is changed there. */
function ProtocolSentence({ plan }: { readonly plan: WorkPlan }) {
  const slug = useProjectSlug();
  const protocol = useQuery(read("/api/projects/{slug}/protocol", { slug }));
  if (protocol.data === undefined) return null;
  const startsWithOne = plan.raters_at_first < plan.raters_per_answer;
  return (
    <Sentence
      name="Annotators per answer"
      words={`${raterWords(protocol.data.spec)}.${startsWithOne ? " One annotator judges first. The others judge only if the automatic judge disagrees or is unsure." : ""}`}
      link={
        <ProjectButtonLink page="protocol" size="small">
          Edit protocol
        </ProjectButtonLink>
      }
    />
  );
}

interface FieldsProps {
  readonly draft: PlanDraft;
  readonly changes: PlanChanges;
  readonly error: Error | null;
  readonly onChange: (changes: PlanChanges) => void;
}

interface PlanSentenceProps {
  readonly name: string;
  readonly plan: WorkPlan;
  readonly words: (draft: PlanDraft) => string;
  readonly effect?: (draft: PlanDraft) => string;
  /** The field that says why it was refused, by the server's name. */
  readonly field?: string;
  readonly children: (part: FieldsProps) => ReactNode;
}

function PlanSentence({ plan, ...sentence }: PlanSentenceProps) {
  const slug = useProjectSlug();
  return (
    <ChangeableSentence
      {...sentence}
      draftOf={(changes: PlanChanges) => draftOf(plan, changes)}
      write={(changes) => put("/api/projects/{slug}/work", { slug }, bodyOf(draftOf(plan, changes)))}
      keeps={read("/api/projects/{slug}/work", { slug }).queryKey}
    />
  );
}

const SHARINGS = [
  { value: "everyone", name: "All annotators", words: "Each question goes to the next available annotator." },
  {
    value: "named",
    name: "Selected annotators",
    words: "Only annotators you select can judge. Each gets all questions or a range.",
  },
  {
    value: "shares",
    name: "Random shares",
    words:
      "Each annotator gets a random share of the questions. Skipped questions, tie-breaks, and the shares of paused annotators go to other annotators.",
  },
] as const;

interface PartProps extends FieldsProps {
  readonly plan: WorkPlan;
}

function SharingFields({ plan, draft, changes, onChange }: PartProps) {
  return (
    <Fields>
      <div>
        <SegmentedControl
          label="Assignment"
          value={draft.sharing}
          options={SHARINGS}
          onChange={(sharing) => onChange({ sharing })}
        />
      </div>
      <p className={styles["soft"]}>{SHARINGS.find(({ value }) => value === draft.sharing)?.words}</p>
      {draft.sharing !== "everyone" && (
        <PartTable raters={plan.raters} draft={draft} changes={changes} onChange={onChange} />
      )}
    </Fields>
  );
}

function LimitFields({ plan, draft, changes, onChange }: PartProps) {
  return (
    <Fields>
      <p className={styles["soft"]}>
        For no limit, leave the field empty. Answers on open sheets count toward the limit.
      </p>
      <LimitTable raters={plan.raters} draft={draft} changes={changes} onChange={onChange} />
    </Fields>
  );
}

const ORDERS = [
  { value: "imported", name: "Import order" },
  { value: "seed", name: "Random order" },
] as const;

function OrderFields({ draft, onChange }: FieldsProps) {
  return (
    <Choice
      label="Question order"
      hint="Questions that annotators have started come before new questions."
      value={draft.order}
      options={ORDERS}
      onChange={(order) => onChange({ order })}
    />
  );
}

function FirstFields({ draft, error, onChange }: FieldsProps) {
  return (
    <TextArea
      label="Priority (optional)"
      hint="Enter one question ID, data set, or tag per line."
      rows={4}
      value={draft.goesFirst}
      error={fieldMessage(error, "goes_first")}
      onChange={(goesFirst) => onChange({ goesFirst })}
    />
  );
}
