/** One webhook: what it hears of, how it stands, what was sent, and what can be done with it. */
import { useId, useState } from "react";
import { del, keyOf, patch, post } from "../../api/client";
import type { Endpoint } from "../../api/schema";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/dialog";
import { Refusal } from "../../components/form";
import { Entry, EntryHead } from "../../components/list";
import { RelativeTime } from "../../components/relative-time";
import { useWrite } from "../../components/use-write";
import { rich } from "../../lib/i18n/rich";
import { plural, t } from "../../lib/i18n/t";
import { exactTime } from "../../lib/time";
import { Deliveries } from "./delivery-table";
import { EventsDialog } from "./webhook-dialog";
import styles from "./webhooks.module.css";
import { eventWords } from "./words";

interface WebhookProps {
  readonly slug: string;
  readonly webhook: Endpoint;
}

interface WebhookEntryProps extends WebhookProps {
  readonly showSecret: (secret: string) => void;
}

export function WebhookEntry({ slug, webhook, showSecret }: WebhookEntryProps) {
  const heading = useId();
  return (
    <Entry>
      <EntryHead>
        <h2 id={heading} className={styles["url"]} dir="ltr">
          {webhook.url}
        </h2>
        <State webhook={webhook} />
      </EntryHead>
      <Standing webhook={webhook} />
      <div>
        <p className="soft">{t("Events")}</p>
        <ul className={styles["events"]}>
          {webhook.events.map((event) => (
            <li key={event}>{eventWords(event)}</li>
          ))}
        </ul>
      </div>
      <Deliveries slug={slug} webhook={webhook} />
      <div role="group" aria-labelledby={heading} className={styles["actions"]}>
        <Actions slug={slug} webhook={webhook} showSecret={showSecret} />
      </div>
    </Entry>
  );
}

function State({ webhook }: { readonly webhook: Endpoint }) {
  if (!webhook.is_on) {
    return <Badge tone={webhook.off_reason === "" ? "neutral" : "danger"}>{t("Turned off")}</Badge>;
  }
  if (webhook.failing_since !== null) return <Badge tone="warning">{t("Failing")}</Badge>;
  return <Badge tone="success">{t("Active")}</Badge>;
}

/** Since when it does not work, and until when the former secret still signs. */
function Standing({ webhook }: { readonly webhook: Endpoint }) {
  const { failing_since: failing, off_since: off, former_secret_until: until } = webhook;
  return (
    <>
      {off !== null && (
        <p>
          {rich("Turned off {time}.", { time: <RelativeTime at={off} /> })}{" "}
          {/* The server's own words, in no other language. */}
          {webhook.off_reason !== "" && <span lang="en">{webhook.off_reason} </span>}
          {t("Assay does not send events that occur while a webhook is turned off.")}
        </p>
      )}
      {off === null && failing !== null && (
        <p>
          {t("Failing since {time}.", { time: exactTime(new Date(failing)) })}{" "}
          {plural(webhook.failures, "{count} attempt failed.", "{count} attempts in a row failed.")}
        </p>
      )}
      {until !== null && (
        <p className="soft">
          {t("Messages are signed with both the old and the new secret until {time}.", {
            time: exactTime(new Date(until)),
          })}
        </p>
      )}
    </>
  );
}

function Actions({ slug, webhook, showSecret }: WebhookEntryProps) {
  const [open, setOpen] = useState<"events" | "rotate" | "delete" | null>(null);
  const stale = [keyOf("/api/projects/{slug}/webhooks", { slug })];
  const place = { slug, webhook: webhook.id };
  const test = useWrite(() => post("/api/projects/{slug}/webhooks/{webhook}/test", place), {
    refusal: "renew",
    stale,
  });
  const turn = useWrite(
    () => patch("/api/projects/{slug}/webhooks/{webhook}", place, { is_on: !webhook.is_on }),
    { refusal: "renew", stale },
  );
  const close = () => setOpen(null);
  return (
    <>
      <Refusal error={test.error ?? turn.error} />
      <div className="row-centered">
        {webhook.is_on && (
          <Button size="small" busy={test.isPending} onClick={() => test.mutate()}>
            {t("Send test message")}
          </Button>
        )}
        <Button size="small" onClick={() => setOpen("events")}>
          {t("Edit events")}
        </Button>
        <Button size="small" onClick={() => setOpen("rotate")}>
          {t("Rotate secret")}
        </Button>
        <Button size="small" busy={turn.isPending} onClick={() => turn.mutate()}>
          {webhook.is_on ? t("Turn off") : t("Turn on")}
        </Button>
        <Button size="small" variant="quiet" onClick={() => setOpen("delete")}>
          {t("Delete")}
        </Button>
      </div>
      {open === "events" && <EventsDialog slug={slug} webhook={webhook} onClose={close} />}
      {open === "rotate" && (
        <ConfirmDialog
          title={t("Rotate the secret?")}
          confirm={t("Rotate secret")}
          onConfirm={async () => {
            const { secret } = await post("/api/projects/{slug}/webhooks/{webhook}/rotate", place);
            showSecret(secret);
          }}
          stale={stale}
          onClose={close}
        >
          <p dir="ltr">{webhook.url}</p>
          <p>
            {t(
              "Assay creates a new secret and shows it once. For a day, messages are signed with both the old and the new secret.",
            )}
          </p>
        </ConfirmDialog>
      )}
      {open === "delete" && (
        <ConfirmDialog
          title={t("Delete the webhook?")}
          confirm={t("Delete")}
          onConfirm={() => del("/api/projects/{slug}/webhooks/{webhook}", place)}
          stale={stale}
          note={t("Webhook deleted.")}
          onClose={close}
        >
          <p dir="ltr">{webhook.url}</p>
          <p>{t("This also deletes its messages, including those still waiting to be sent.")}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
