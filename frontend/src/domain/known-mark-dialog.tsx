/** The label that is known of an answer, what it is used for, and why it is right. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { keyOf, post } from "../api/client";
import type { KnownAnswer } from "../api/schema";
import { messageOf } from "../api/error";
import { useProject } from "../api/project";
import { Button } from "../components/button";
import { Dialog } from "../components/dialog";
import { Choice, Form, FormError, TextArea } from "../components/form";

interface KnownMarkDialogProps {
  readonly slug: string;
  /** The answer by its id, and the label it was decided to have. */
  readonly answer: { readonly id: string; readonly label: string | null };
  readonly known: KnownAnswer | undefined;
  readonly onClose: () => void;
}

export function KnownMarkDialog({ slug, answer, known, onClose }: KnownMarkDialogProps) {
  const { labels } = useProject();
  const queryClient = useQueryClient();
  const [use, setUse] = useState<KnownAnswer["use"]>(known?.use ?? "hidden");
  const [label, setLabel] = useState((known?.label ?? answer.label) || (labels[0]?.key ?? ""));
  const [explanation, setExplanation] = useState(known?.explanation ?? "");
  const marking = useMutation({
    mutationFn: () =>
      post("/api/projects/{slug}/known-answers", { slug }, { answer: answer.id, use, label, explanation }),
    onSuccess: async () => {
      await queryClient.invalidateQueries({
        queryKey: keyOf("/api/projects/{slug}/known-answers", { slug }),
      });
      await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/quality-plan", { slug }) });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    marking.mutate();
  };
  return (
    <Dialog
      open
      title={known ? "What is known of it" : "Use as a known answer"}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Leave it</Button>
          <Button type="submit" form="known-answer" variant="primary" busy={marking.isPending}>
            Keep it
          </Button>
        </>
      }
    >
      <Form id="known-answer" onSubmit={submit}>
        <Choice label="Use" value={use} options={USES} onChange={setUse} />
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
          hint="Shown in training, after the answer was judged."
          rows={4}
          value={explanation}
          onChange={(event) => setExplanation(event.target.value)}
        />
        {marking.isError && <FormError>{messageOf(marking.error)}</FormError>}
      </Form>
    </Dialog>
  );
}

export const USES = [
  { value: "hidden", name: "Hidden among the work" },
  { value: "training", name: "For training" },
] as const;

type Use = (typeof USES)[number]["value"];

export function wordsOfUse(use: Use): string {
  return USES.find(({ value }) => value === use)?.name ?? use;
}
