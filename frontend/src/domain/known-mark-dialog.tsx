/** The label that is known of an answer, what it is used for, and why it is right. */
import { useState } from "react";
import { keyOf, post } from "../api/client";
import type { KnownAnswer } from "../api/schema";
import { useProject } from "../api/project";
import { FormDialog } from "../components/dialog";
import { Choice, TextArea } from "../components/form";
import { useWrite } from "../components/use-write";

interface KnownMarkDialogProps {
  readonly slug: string;
  /** The answer by its id, and the label it was decided to have. */
  readonly answer: { readonly id: string; readonly label: string | null };
  readonly known: KnownAnswer | undefined;
  readonly onClose: () => void;
}

export function KnownMarkDialog({ slug, answer, known, onClose }: KnownMarkDialogProps) {
  const { labels } = useProject();
  const [use, setUse] = useState<KnownAnswer["use"]>(known?.use ?? "hidden");
  const [label, setLabel] = useState((known?.label ?? answer.label) || (labels[0]?.key ?? ""));
  const [explanation, setExplanation] = useState(known?.explanation ?? "");
  const marking = useWrite(
    () =>
      post("/api/projects/{slug}/known-answers", { slug }, { answer: answer.id, use, label, explanation }),
    {
      stale: [
        keyOf("/api/projects/{slug}/known-answers", { slug }),
        keyOf("/api/projects/{slug}/quality-plan", { slug }),
      ],
      onDone: onClose,
    },
  );
  return (
    <FormDialog
      title={known ? "Known answer" : "Use as known answer"}
      action="Save"
      cancel="Cancel"
      write={marking}
      onSubmit={() => marking.mutate()}
      onClose={onClose}
    >
      <Choice label="Purpose" value={use} options={USES} onChange={setUse} />
      <Choice
        label="Known label"
        value={label}
        options={labels
          .filter(({ credit }) => credit !== "missing")
          .map(({ key, name }) => ({ value: key, name }))}
        onChange={setLabel}
      />
      <TextArea
        label="Explanation (optional)"
        hint="Shown in training after the annotator judges the answer."
        rows={4}
        value={explanation}
        onChange={setExplanation}
      />
    </FormDialog>
  );
}

export const USES = [
  { value: "hidden", name: "Hidden in regular work" },
  { value: "training", name: "Training" },
] as const;

type Use = (typeof USES)[number]["value"];

export function wordsOfUse(use: Use): string {
  return USES.find(({ value }) => value === use)?.name ?? use;
}
