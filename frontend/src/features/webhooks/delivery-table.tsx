/** What was last sent to a webhook, and what came of it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { DeliveryRecord, Endpoint } from "../../api/schema";
import { Badge } from "../../components/badge";
import { Button } from "../../components/button";
import { QueryView, Skeleton } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { type Column, numberColumn, Table } from "../../components/table";
import { useWrite } from "../../components/use-write";
import { rich } from "../../lib/i18n/rich";
import { plural, t } from "../../lib/i18n/t";
import styles from "./webhooks.module.css";
import { eventWords, isBeingSent } from "./words";

const ASK_AGAIN_AFTER = 15_000;
const ASK_SOON = 1_000;
const SHOWN_AT_FIRST = 3;

interface DeliveriesProps {
  readonly slug: string;
  readonly webhook: Endpoint;
}

export function Deliveries({ slug, webhook }: DeliveriesProps) {
  const query = useQuery({
    ...read("/api/projects/{slug}/webhooks/{webhook}/deliveries", { slug, webhook: webhook.id }),
    refetchInterval: ({ state }) => (state.data?.some(isBeingSent) ? ASK_SOON : ASK_AGAIN_AFTER),
  });
  return (
    <QueryView query={query} loading={<Skeleton lines={2} />}>
      {(deliveries) =>
        deliveries.length === 0 ? (
          <p className="soft">{t("Nothing has been sent in the last 30 days.")}</p>
        ) : (
          <DeliveryTable slug={slug} webhook={webhook} deliveries={deliveries} />
        )
      }
    </QueryView>
  );
}

interface DeliveryTableProps extends DeliveriesProps {
  readonly deliveries: readonly DeliveryRecord[];
}

function DeliveryTable({ slug, webhook, deliveries }: DeliveryTableProps) {
  const [isWhole, setWhole] = useState(false);
  const retry = useWrite(
    (delivery: string) =>
      post("/api/projects/{slug}/webhooks/{webhook}/deliveries/{delivery}/retry", {
        slug,
        webhook: webhook.id,
        delivery,
      }),
    { refusal: "note", stale: [keyOf("/api/projects/{slug}/webhooks", { slug })] },
  );
  const shown = isWhole ? deliveries : deliveries.slice(0, SHOWN_AT_FIRST);
  const left = deliveries.length - SHOWN_AT_FIRST;
  return (
    <>
      <Table
        folds
        keepsOrder
        caption={t("Recent messages to {url}", { url: webhook.url })}
        columns={
          webhook.is_on && shown.some(isGivenUp) ? [...columns(), retryColumn(retry.mutate)] : columns()
        }
        rows={shown}
        rowKey={({ id }) => id}
      />
      {!isWhole && left > 0 && (
        <p>
          <Button size="small" variant="quiet" atEdge onClick={() => setWhole(true)}>
            {plural(left, "Show {count} older message", "Show {count} older messages")}
          </Button>
        </p>
      )}
    </>
  );
}

function columns(): Column<DeliveryRecord>[] {
  return [
    { key: "time", header: t("Time"), cell: ({ created_at: at }) => <RelativeTime at={at} /> },
    { key: "event", header: t("Event"), cell: ({ event }) => eventWords(event) },
    { key: "state", header: t("Status"), cell: (delivery) => <State delivery={delivery} /> },
    { key: "reply", header: t("Response"), cell: ({ status }) => status ?? "–" },
    numberColumn("tries", t("Attempts"), ({ tries }) => tries),
    {
      key: "error",
      header: t("Error"),
      cell: ({ error }) =>
        error !== "" && (
          // The server's own words, in no other language.
          <span lang="en" className={styles["error"]}>
            {error}
          </span>
        ),
    },
  ];
}

function isGivenUp({ state }: DeliveryRecord): boolean {
  return state === "given_up";
}

function retryColumn(retry: (delivery: string) => void): Column<DeliveryRecord> {
  return {
    key: "retry",
    header: t("Actions"),
    cell: (delivery) =>
      isGivenUp(delivery) && (
        <Button size="small" onClick={() => retry(delivery.id)}>
          {t("Try again")}
        </Button>
      ),
  };
}

function State({ delivery }: { readonly delivery: DeliveryRecord }) {
  if (delivery.state === "delivered") return <Badge tone="success">{t("Delivered")}</Badge>;
  if (delivery.state === "given_up") return <Badge tone="danger">{t("Failed")}</Badge>;
  if (isBeingSent(delivery) || delivery.next_try_at === null) return <Badge>{t("Sending")}</Badge>;
  return (
    <Badge tone="warning">
      <span>{rich("Next attempt {time}", { time: <RelativeTime at={delivery.next_try_at} /> })}</span>
    </Badge>
  );
}
