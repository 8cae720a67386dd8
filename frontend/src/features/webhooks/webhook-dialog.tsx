/** Adding a webhook, and choosing other events for one. */
import { useState } from "react";
import { keyOf, patch, post } from "../../api/client";
import { fieldMessage } from "../../api/error";
import type { Endpoint, EndpointWithSecret, EventsEnum } from "../../api/schema";
import { FormDialog } from "../../components/dialog";
import { FormError, type Sending, Several, TextField } from "../../components/form";
import { useWrite } from "../../components/use-write";
import { t } from "../../lib/i18n/t";
import { eventOptions } from "./words";

const LONGEST_URL = 500;

interface AddDialogProps {
  readonly slug: string;
  readonly onAdded: (added: EndpointWithSecret) => void;
  readonly onClose: () => void;
}

export function AddDialog({ slug, onAdded, onClose }: AddDialogProps) {
  const [url, setUrl] = useState("");
  const [events, setEvents] = useState<readonly EventsEnum[]>(() => eventOptions().map(({ value }) => value));
  const add = useWrite(
    () => post("/api/projects/{slug}/webhooks", { slug }, { url: url.trim(), events: [...events] }),
    { stale: [keyOf("/api/projects/{slug}/webhooks", { slug })], onDone: onAdded },
  );
  return (
    <FormDialog
      title={t("Add webhook")}
      action={t("Add")}
      cancel={t("Cancel")}
      write={withoutFields(add)}
      isReady={url.trim() !== "" && events.length > 0}
      onSubmit={() => add.mutate()}
      onClose={onClose}
    >
      <TextField
        label={t("URL")}
        hint={t(
          "Enter an address that begins with https:// and that the administrator of this server allows. You cannot change it later.",
        )}
        required
        autoFocus
        dir="ltr"
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        maxLength={LONGEST_URL}
        value={url}
        error={fieldMessage(add.error, "url")}
        onChange={setUrl}
      />
      <Events chosen={events} error={add.error} onChange={setEvents} />
    </FormDialog>
  );
}

interface EventsDialogProps {
  readonly slug: string;
  readonly webhook: Endpoint;
  readonly onClose: () => void;
}

export function EventsDialog({ slug, webhook, onClose }: EventsDialogProps) {
  const [events, setEvents] = useState<readonly EventsEnum[]>(webhook.events);
  const change = useWrite(
    () =>
      patch(
        "/api/projects/{slug}/webhooks/{webhook}",
        { slug, webhook: webhook.id },
        { events: [...events] },
      ),
    {
      stale: [keyOf("/api/projects/{slug}/webhooks", { slug })],
      note: t("Saved."),
      onDone: onClose,
    },
  );
  return (
    <FormDialog
      title={t("Edit events")}
      action={t("Save")}
      cancel={t("Cancel")}
      write={withoutFields(change)}
      isReady={events.length > 0}
      onSubmit={() => change.mutate()}
      onClose={onClose}
    >
      <p dir="ltr">{webhook.url}</p>
      <Events chosen={events} error={change.error} onChange={setEvents} />
    </FormDialog>
  );
}

interface EventsProps {
  readonly chosen: readonly EventsEnum[];
  readonly error: Error | null;
  readonly onChange: (events: readonly EventsEnum[]) => void;
}

function Events({ chosen, error, onChange }: EventsProps) {
  const complaint = fieldMessage(error, "events");
  return (
    <Several isList legend={t("Events")} options={eventOptions()} chosen={chosen} onChange={onChange}>
      {complaint && <FormError>{complaint}</FormError>}
    </Several>
  );
}

/** What a field says already is not said again below it. */
function withoutFields({ isPending, error }: Sending): Sending {
  const isSaid = fieldMessage(error, "url") ?? fieldMessage(error, "events");
  return { isPending, error: isSaid ? null : error };
}
