/** Sends an answer back to raters: one more judges it, blind, before it settles. */
import { useState } from "react";
import { post } from "../../api/client";
import type { Dossier } from "../../api/schema";
import { Button } from "../../components/button";
import { Dialog, FormDialog } from "../../components/dialog";
import { TextField } from "../../components/form";
import { Term } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { useCommands } from "../../lib/use-commands";
import { sendBackCommand } from "./commands";
import type { LastDecision } from "./decision-form";
import { dossierQuery, type QueueWork, seenNumber } from "./queue";

interface SendBackProps {
  readonly slug: string;
  readonly detail: Dossier;
  readonly work: QueueWork;
  readonly last: LastDecision;
}

export function SendBack(props: SendBackProps) {
  const [asking, setAsking] = useState(false);
  useCommands([sendBackCommand(() => setAsking(true))]);
  const close = () => setAsking(false);
  return (
    <>
      <p>
        <Button hint="s" onClick={() => setAsking(true)}>
          Send back to annotators
        </Button>
      </p>
      {asking && props.detail.send_back_refusal !== "" && (
        <Dialog
          title="This answer cannot be sent back to annotators"
          onClose={close}
          actions={
            <Button data-autofocus onClick={close}>
              OK
            </Button>
          }
        >
          <p>{props.detail.send_back_refusal}</p>
        </Dialog>
      )}
      {asking && props.detail.send_back_refusal === "" && <SendBackDialog {...props} onClose={close} />}
    </>
  );
}

function SendBackDialog({ slug, detail, work, last, onClose }: SendBackProps & { onClose: () => void }) {
  const [reason, setReason] = useState("");
  const mutation = useWrite(
    () =>
      post(
        "/api/projects/{slug}/answers/{candidate}/send-back",
        { slug, candidate: detail.id },
        { reason: reason.trim(), seen_number: seenNumber(detail) },
      ),
    {
      keeps: dossierQuery(slug, detail.id, work).queryKey,
      onDone: () => {
        onClose();
        work.sentBack(detail.id);
        last.made({ answer: detail.id }, "Sent back. One more annotator will judge this answer.", {
          undone: "Answer recalled from annotators.",
        });
      },
    },
  );
  const submit = () => {
    if (reason.trim() !== "" && !mutation.isPending) mutation.mutate();
  };
  return (
    <FormDialog
      title={<Term name="send-back">Send back to annotators</Term>}
      action="Send back"
      cancel="Cancel"
      write={mutation}
      isReady={reason.trim() !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        One more annotator judges this answer without being told why it was sent back. The majority of all
        votes then decides. If there is no majority, the answer returns to this queue.
        {detail.decision && " Until then, the answer counts as undecided."}
      </p>
      <TextField
        autoFocus
        label="Reason"
        hint="Required. The history keeps the reason; annotators do not see it."
        maxLength={2000}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}
