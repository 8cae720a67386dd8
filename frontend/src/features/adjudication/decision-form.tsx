/** Decides one answer: a label, why, and on to the next. */
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { CategoryEnum, Dossier, TakeBackRequest } from "../../api/schema";
import { messageOf } from "../../api/error";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { Checkbox, Refusal, submitting, TextArea } from "../../components/form";
import { More } from "../../components/list";
import { useToast } from "../../components/toast";
import { LabelShape, toneOfCredit } from "../../domain/labels";
import { useCommands } from "../../lib/use-commands";
import { decisionCommands } from "./commands";
import { type Deciding, type Draft, isReady } from "./deciding";
import styles from "./dossier.module.css";
import { categoriesOf, freeEnter, type QueueWork } from "./queue";

interface DecisionFormProps {
  readonly detail: Dossier;
  readonly deciding: Deciding;
}

export function DecisionForm({ detail, deciding }: DecisionFormProps) {
  const project = useProject();
  const form = useRef<HTMLFormElement>(null);
  const decision = useDecision(detail, deciding);
  const [isIncomplete, setIncomplete] = useState(false);
  // "Cannot judge" is no decision.
  const labels = project.labels.filter(({ credit }) => credit !== "missing");
  const categories = categoriesOf(detail.categories);
  useCommands(
    decisionCommands({
      labels,
      categories,
      chooseLabel: (label) => {
        decision.setLabel(label);
        freeEnter(form.current);
      },
      chooseCategory: (category) => {
        decision.toggleCategory(category);
        freeEnter(form.current);
      },
      writeReason: () => form.current?.querySelector("textarea")?.focus(),
      canDecide: () => decision.label !== null,
      decide: () => (decision.isReady ? decision.send() : setIncomplete(true)),
    }),
  );
  return (
    <form
      ref={form}
      tabIndex={-1}
      className={styles["form"]}
      aria-label="Decision"
      onSubmit={submitting(decision.send)}
    >
      <div className="row" role="group" aria-label="Label">
        {labels.map((label, index) => (
          <Button
            key={label.key}
            hint={String(index + 1)}
            aria-pressed={decision.label === label.key}
            onClick={() => decision.setLabel(label.key)}
          >
            <LabelShape tone={toneOfCredit(label.credit)} />
            {label.name}
          </Button>
        ))}
      </div>
      <div className={styles["categories"]} role="group" aria-label="Reason">
        {categories.map((category) => (
          <Button
            key={category.value}
            size="small"
            hint={category.key}
            aria-pressed={decision.category === category.value}
            title={detail.categories.find(({ key }) => key === category.value)?.meaning}
            onClick={() => decision.toggleCategory(category.value)}
          >
            {category.name}
          </Button>
        ))}
      </div>
      <More summary="Reason descriptions">
        <dl className={styles["meanings"]}>
          {categories.map(({ value, name }) => (
            <div key={value}>
              <dt>{name}</dt>
              <dd>{detail.categories.find(({ key }) => key === value)?.meaning}</dd>
            </div>
          ))}
        </dl>
      </More>
      <TextArea
        label="Explanation (optional if you chose a reason)"
        rows={2}
        value={decision.reason}
        onChange={decision.setReason}
      />
      <Checkbox
        label="Annotators may read this"
        hint="Annotators can read this only if the protocol allows it, and only after all answers to the question are decided."
        checked={decision.isShown}
        onChange={decision.setShown}
      />
      <Refusal error={decision.error} />
      <div className={styles["submit"]}>
        <Button
          type="submit"
          variant="primary"
          hint="Enter"
          busy={decision.isSending}
          disabled={!decision.isReady}
        >
          {detail.decision ? "Change decision and continue" : "Decide and continue"}
        </Button>
        {!decision.isReady && (
          <span
            className={isIncomplete ? styles["refused"] : "soft"}
            role={isIncomplete ? "alert" : undefined}
          >
            {decision.label === null ? "Choose a label." : "Choose a reason, or write an explanation."}
          </span>
        )}
      </div>
    </form>
  );
}

function useDecision(detail: Dossier, deciding: Deciding) {
  const [draft, setDraft] = useState(() => deciding.draftOf(detail.id));
  const change = (part: Partial<Draft>) => setDraft(deciding.change(detail.id, part));
  return {
    ...draft,
    isReady: isReady(draft),
    isSending: deciding.isSending(detail.id),
    error: deciding.errorOf(detail.id),
    setLabel: (label: string) => change({ label }),
    setReason: (reason: string) => change({ reason }),
    setShown: (isShown: boolean) => change({ isShown }),
    toggleCategory: (value: CategoryEnum) => {
      const { category } = deciding.draftOf(detail.id);
      change({ category: category === value ? null : value });
    },
    send: () => deciding.send(detail, deciding.draftOf(detail.id)),
  };
}

interface Done {
  readonly what: TakeBackRequest;
  /** What is said when it is taken back. */
  readonly undone: string;
}

interface Making {
  readonly undone?: string;
  readonly isInFront?: boolean;
  /** What waits is known without asking. */
  readonly isListKnown?: boolean;
}

export function useLastDecision(slug: string, work: QueueWork) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const last = useRef<Done | null>(null);
  const onItsWay = useRef<Promise<unknown> | null>(null);
  const takeBack = async (done: Done) => {
    try {
      const { answers } = await post("/api/projects/{slug}/queue/take-back", { slug }, done.what);
      toast({ text: answers.length > 1 ? `${answers.length} decisions undone.` : done.undone });
      if (last.current === done) last.current = null;
      work.reopened(answers);
    } catch (error) {
      toast({ text: messageOf(error), tone: "error" });
    }
    void queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/queue", { slug }) });
  };
  const undo = async () => {
    // What is on its way is meant, not the decision before it; refused, it leaves nothing to undo.
    const isRefused = await onItsWay.current?.then(
      () => false,
      () => true,
    );
    if (isRefused) return;
    if (last.current === null) toast({ text: "There is no decision to undo on this page." });
    else await takeBack(last.current);
  };
  /** `isInFront`: the page itself offers the way back, so that the note need not. */
  const made = (what: TakeBackRequest, text: string, { undone, isInFront, isListKnown }: Making = {}) => {
    const done = { what, undone: undone ?? "Decision undone." };
    last.current = done;
    toast({ text, ...(isInFront ? {} : { action: { name: "Undo", run: () => void takeBack(done) } }) });
    // The list alone: what is open in front is as it was decided.
    if (isListKnown) return;
    void queryClient.invalidateQueries({ queryKey: read("/api/projects/{slug}/queue", { slug }).queryKey });
  };
  /** Until this ends, it is what undo would undo. */
  const follow = (decision: Promise<unknown>) => {
    onItsWay.current = decision;
    const end = () => {
      if (onItsWay.current === decision) onItsWay.current = null;
    };
    decision.then(end, end);
  };
  return { made, follow, undo };
}

export type LastDecision = ReturnType<typeof useLastDecision>;
