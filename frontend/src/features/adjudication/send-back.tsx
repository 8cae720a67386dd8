/** Sends an answer back to raters: one more judges it, blind, before it settles. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { post, read } from "../../api/client";
import type { Dossier } from "../../api/schema";
import { messageOf } from "../../api/error";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import { Form, FormError, TextField } from "../../components/form";
import { useCommands } from "../../lib/use-commands";
import { sendBackCommand } from "./commands";
import type { LastDecision } from "./decision-form";
import { type QueueWork, seenNumber } from "./queue";

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
          open
          title="It cannot go back to raters"
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

const FORM = "send-back";

function SendBackDialog({ slug, detail, work, last, onClose }: SendBackProps & { onClose: () => void }) {
  const queryClient = useQueryClient();
  const [reason, setReason] = useState("");
  const mutation = useMutation({
    mutationFn: () =>
      post(
        "/api/projects/{slug}/answers/{candidate}/send-back",
        { slug, candidate: detail.id },
        { reason: reason.trim(), seen_number: seenNumber(detail) },
      ),
    onSuccess: (after) => {
      queryClient.setQueryData(
        read(
          "/api/projects/{slug}/queue/{candidate}",
          { slug, candidate: detail.id },
          work.systems === undefined ? {} : { systems: work.systems },
        ).queryKey,
        after,
      );
      onClose();
      work.sentBack(detail.id);
      last.made({ answer: detail.id }, "Sent back: one more rater is asked.", {
        undone: "Called back from raters.",
      });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (reason.trim() !== "" && !mutation.isPending) mutation.mutate();
  };
  return (
    <Dialog
      open
      title="Send back to raters"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Keep it here</Button>
          <Button
            type="submit"
            form={FORM}
            variant="primary"
            busy={mutation.isPending}
            disabled={reason.trim() === ""}
          >
            Send back
          </Button>
        </>
      }
    >
      <Form id={FORM} onSubmit={submit}>
        <p>
          One more rater judges it, like any other answer, and is not told why. Then the majority of all votes
          decides; where there is none, it comes back here.
          {detail.decision && " Until then it counts as undecided."}
        </p>
        <TextField
          autoFocus
          label="Why"
          hint="Needed: it is kept in the history. Raters do not read it."
          maxLength={2000}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        {mutation.error && <FormError>{messageOf(mutation.error)}</FormError>}
      </Form>
    </Dialog>
  );
}
