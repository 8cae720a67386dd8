/** Changes what one said of an answer: label, comment, evidence. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import type { JudgmentEdit, PastAnswer, PastSheet, Project } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { TextArea, TextField } from "../../components/field";
import { Form, FormError } from "../../components/form";
import { SegmentedControl } from "../../components/segmented-control";
import { useToast } from "../../components/toast";
import { answerWords } from "../../lib/answer-words";
import { t } from "../../lib/i18n/t";
import styles from "./judged.module.css";

export interface Editing {
  readonly sheet: PastSheet;
  readonly answer: PastAnswer;
}

interface EditDialogProps {
  readonly project: Project;
  readonly editing: Editing;
  readonly onClose: () => void;
}

type Said = Omit<JudgmentEdit, "seen_at">;

function useEdit({ project, editing, onClose }: EditDialogProps) {
  const { sheet, answer } = editing;
  const queryClient = useQueryClient();
  const tell = useToast();
  return useMutation({
    mutationFn: (said: Said) =>
      post(
        "/api/projects/{slug}/judged/{sheet_id}/answers/{answer_id}/edit",
        { slug: project.slug, sheet_id: sheet.id, answer_id: answer.id },
        { ...said, seen_at: answer.said.judged_at },
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({
        queryKey: keyOf("/api/projects/{slug}/judged", { slug: project.slug }),
      });
      tell({ text: t("Changed. What you said before is kept in the history.") });
      onClose();
    },
  });
}

export function EditDialog(props: EditDialogProps) {
  const { project, editing, onClose } = props;
  const { label, comment, evidence_url, evidence_quote } = editing.answer.said;
  const [said, setSaid] = useState<Required<Said>>({ label, comment, evidence_url, evidence_quote });
  const edit = useEdit(props);
  const field = (name: Exclude<keyof Said, "label">) => ({
    value: said[name],
    onChange: (event: { readonly target: { readonly value: string } }) =>
      setSaid({ ...said, [name]: event.target.value }),
  });
  return (
    <Dialog open title={t("Change your judgment")} onClose={onClose}>
      <Form
        onSubmit={(event) => {
          event.preventDefault();
          edit.mutate(trimmed(said));
        }}
      >
        <div className={styles["about"]}>
          <p className={styles["soft"]} dir="auto">
            {editing.sheet.question.text}
          </p>
          <p dir="auto">{answerWords(editing.answer.text)}</p>
        </div>
        <SegmentedControl
          label={t("Label")}
          value={said.label}
          options={project.labels.map(({ key, name }) => ({ value: key, name }))}
          onChange={(chosen) => setSaid({ ...said, label: chosen })}
        />
        <TextField label={t("Comment")} dir="auto" maxLength={2000} {...field("comment")} />
        <TextField
          label={t("Address of the page")}
          inputMode="url"
          maxLength={2000}
          {...field("evidence_url")}
        />
        <TextArea
          label={t("What it says")}
          rows={2}
          dir="auto"
          maxLength={4000}
          {...field("evidence_quote")}
        />
        {edit.isError && <FormError>{messageOf(edit.error)}</FormError>}
        <div className={styles["actions"]}>
          <Button onClick={onClose}>{t("Leave it as it is")}</Button>
          <Button variant="primary" type="submit" busy={edit.isPending}>
            {t("Change")}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}

function trimmed(said: Required<Said>): Said {
  return {
    label: said.label,
    comment: said.comment.trim(),
    evidence_url: said.evidence_url.trim(),
    evidence_quote: said.evidence_quote.trim(),
  };
}
