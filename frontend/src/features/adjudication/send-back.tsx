/** Sends an answer back to raters: one more judges it, blind, before it settles. */
import { useState } from "react";
import { post } from "../../api/client";
import type { Dossier } from "../../api/schema";
import { Button } from "../../components/button";
import { Dialog, FormDialog } from "../../components/dialog";
import { TextField } from "../../components/form";
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
          Send back to raters
        </Button>
      </p>
      {asking && props.detail.send_back_refusal !== "" && (
        <Dialog
          title="This answer cannot go back to raters"
          onClose={close}
          actions={
            <Button data-autofocus onClick={close}>
              Understood
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
        last.made({ answer: detail.id }, "Sent back: one more rater is asked.", {
          undone: "Recalled from raters.",
        });
      },
    },
  );
  const submit = () => {
    if (reason.trim() !== "" && !mutation.isPending) mutation.mutate();
  };
  return (
    <FormDialog
      title="Send back to raters"
      action="Send back"
      cancel="Cancel"
      write={mutation}
      isReady={reason.trim() !== ""}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        One more rater judges it like any other answer and is not told why. Then the majority of all votes
        decides; without a majority, it comes back here.
        {detail.decision && " Until then it counts as undecided."}
      </p>
      <TextField
        autoFocus
        label="Why"
        hint="Required. It is kept in the history; raters do not see it."
        maxLength={2000}
        value={reason}
        onChange={setReason}
      />
    </FormDialog>
  );
}
