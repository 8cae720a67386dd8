/** Decides one answer: a label, why, and on to the next. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { CategoryEnum, Dossier, TakeBackRequest } from "../../api/schema";
import { ApiError, messageOf } from "../../api/error";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { Checkbox, Refusal, submitting, TextArea } from "../../components/form";
import { More } from "../../components/list";
import { useToast } from "../../components/toast";
import { labelName, LabelShape, toneOfCredit } from "../../domain/labels";
import { useCommands } from "../../lib/use-commands";
import { decisionCommands } from "./commands";
import styles from "./dossier.module.css";
import { categoriesOf, dossierQuery, freeEnter, nextOpen, type QueueWork, seenNumber } from "./queue";

interface DecisionFormProps {
  readonly slug: string;
  readonly detail: Dossier;
  readonly work: QueueWork;
  readonly last: LastDecision;
}

export function DecisionForm({ slug, detail, work, last }: DecisionFormProps) {
  const project = useProject();
  const form = useRef<HTMLFormElement>(null);
  const decision = useDecision(slug, detail, work, last);
  const [isRefused, setRefused] = useState(false);
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
      decide: () => (decision.isReady ? decision.send() : setRefused(true)),
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
      <div className="row" role="group" aria-label="The answer is">
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
      <div className="row" role="group" aria-label="Why">
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
      <More summary="What each reason means">
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
        label="Raters may read this"
        hint="Only where the protocol lets them read decisions, and once all answers to the question are decided."
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
          <span className={isRefused ? styles["refused"] : "soft"} role={isRefused ? "alert" : undefined}>
            {decision.label === null
              ? "Choose a label."
              : "Give a reason: choose one from the list, or write your own."}
          </span>
        )}
      </div>
    </form>
  );
}

function useDecision(slug: string, detail: Dossier, work: QueueWork, last: LastDecision) {
  const queryClient = useQueryClient();
  const [label, setLabel] = useState<string | null>(null);
  const [category, setCategory] = useState<CategoryEnum | null>(null);
  const [reason, setReason] = useState("");
  const [isShown, setShown] = useState(false);
  const mutation = useMutation({
    mutationFn: (chosen: string) =>
      post(
        "/api/projects/{slug}/answers/{candidate}/decision",
        { slug, candidate: detail.id },
        {
          label: chosen,
          reason: reason.trim(),
          category: category ?? "",
          is_reason_shown: isShown,
          seen_number: seenNumber(detail),
        },
      ),
    onSuccess: (after, chosen) => {
      queryClient.setQueryData(dossierQuery(slug, detail.id, work).queryKey, after);
      work.decided([detail.id], chosen);
      last.made({ answer: detail.id }, `Decided: ${labelName(chosen)}.`, {
        // Nothing else to go on to: it stays in front, and its notice has the way back.
        isInFront: nextOpen(work.lines, detail.id) === null,
      });
      void queryClient.invalidateQueries({
        queryKey: keyOf("/api/projects/{slug}/queue", { slug }),
        refetchType: "none",
      });
    },
    onError: (error) => {
      if (error instanceof ApiError && error.kind === "conflict") {
        void queryClient.invalidateQueries({
          queryKey: keyOf("/api/projects/{slug}/queue/{candidate}", { slug, candidate: detail.id }),
        });
      }
    },
  });
  const isReady = label !== null && (category !== null || reason.trim() !== "");
  return {
    label,
    category,
    reason,
    isReady,
    isSending: mutation.isPending,
    error: mutation.error,
    isShown,
    setLabel,
    setReason,
    setShown,
    toggleCategory: (value: CategoryEnum) => setCategory((before) => (before === value ? null : value)),
    send: () => {
      if (isReady && !mutation.isPending) mutation.mutate(label);
    },
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
}

export function useLastDecision(slug: string, work: QueueWork) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const last = useRef<Done | null>(null);
  const undo = async () => {
    if (last.current === null) {
      toast({ text: "You have not decided anything on this page yet." });
      return;
    }
    try {
      const { answers } = await post("/api/projects/{slug}/queue/take-back", { slug }, last.current.what);
      const several = `${answers.length} decisions taken back.`;
      toast({ text: answers.length > 1 ? several : last.current.undone });
      last.current = null;
      work.reopened(answers);
    } catch (error) {
      toast({ text: messageOf(error), tone: "error" });
    }
    void queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/queue", { slug }) });
  };
  /** `isInFront`: the page itself offers the way back, so that the note need not. */
  const made = (what: TakeBackRequest, text: string, { undone, isInFront }: Making = {}) => {
    last.current = { what, undone: undone ?? "Decision taken back." };
    toast({ text, ...(isInFront ? {} : { action: { name: "Take back", run: () => void undo() } }) });
    // The list alone: what is open in front is as it was decided.
    void queryClient.invalidateQueries({ queryKey: read("/api/projects/{slug}/queue", { slug }).queryKey });
  };
  return { made, undo };
}

export type LastDecision = ReturnType<typeof useLastDecision>;
