/** Withdraws the decision on an answer, for a reason that its history keeps. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post } from "../../api/client";
import type { AnswerHistory } from "../../api/contract";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/confirm-dialog";
import { useToast } from "../../components/toast";

export function Reopening({ answer }: { readonly answer: AnswerHistory }) {
  const project = useProject();
  const queryClient = useQueryClient();
  const toast = useToast();
  const [asking, setAsking] = useState(false);
  if (answer.state !== "decided" || project.state === "archived") return null;
  const withdraw = async (reason: string) => {
    await post(
      "/api/projects/{slug}/answers/{candidate}/reopen",
      { slug: project.slug, candidate: answer.id },
      { reason },
    );
    await queryClient.invalidateQueries({ queryKey: keyOf("/api/projects/{slug}", { slug: project.slug }) });
    toast({ text: "Decision withdrawn." });
  };
  return (
    <>
      <Button size="small" onClick={() => setAsking(true)}>
        Reopen
      </Button>
      {asking && (
        <ConfirmDialog
          title="Withdraw the decision?"
          confirm="Withdraw it"
          reasonLabel="Why"
          onConfirm={withdraw}
          onClose={() => setAsking(false)}
        >
          <p>
            Nothing is deleted: the decision stays in the history as withdrawn. Raters go on where votes are
            lacking; otherwise the answer waits in the queue for a person. Scores and the gold list follow at
            once.
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
