/** Writes a prompt of the project's own, from one that there is, and shows it filled in before it is kept. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { keyOf, post } from "../../api/client";
import type { Prompt, PromptDraft } from "../../api/contract";
import { ApiError, messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Form } from "../../components/form";
import { Notice } from "../../components/notice";
import { draftOf } from "./draft";
import { PromptFields } from "./prompt-fields";
import { PromptPreview } from "./prompt-preview";

interface PromptDialogProps {
  readonly slug: string;
  readonly origin: Prompt;
  readonly onClose: () => void;
}

export function PromptDialog({ slug, origin, onClose }: PromptDialogProps) {
  const form = useId();
  const queryClient = useQueryClient();
  const [draft, setDraft] = useState<PromptDraft>(() => draftOf(origin));
  const preview = useMutation({
    mutationFn: () => post("/api/projects/{slug}/prompts/preview", { slug }, { draft }),
  });
  const save = useMutation({
    mutationFn: () => post("/api/projects/{slug}/prompts", { slug }, draft),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}/prompts", { slug }) });
      onClose();
    },
  });
  const failure = save.error ?? preview.error;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate();
  };
  return (
    <Dialog
      open
      wide
      title={origin.built_in ? "A prompt of your own" : `Next version of ${origin.key}`}
      onClose={onClose}
      actions={
        <>
          <Button busy={preview.isPending} onClick={() => preview.mutate()}>
            Show it filled in
          </Button>
          <Button type="submit" form={form} variant="primary" busy={save.isPending}>
            Keep it
          </Button>
        </>
      }
    >
      <Form id={form} onSubmit={submit}>
        <PromptFields
          draft={draft}
          complaint={(name) => (failure instanceof ApiError ? failure.fieldMessage(name) : null)}
          onChange={(changes) => {
            setDraft((before) => ({ ...before, ...changes }));
            preview.reset();
          }}
        />
        {failure && <Notice tone="danger">{messageOf(failure)}</Notice>}
        {preview.data && <PromptPreview preview={preview.data} />}
      </Form>
    </Dialog>
  );
}
