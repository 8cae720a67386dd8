/** Where models are reached: addresses, keys, prices and limits. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { keyOf, post, read } from "../../api/client";
import type { Connection, Trial } from "../../api/schema";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { ConfirmDialog } from "../../components/dialog";
import { Refusal } from "../../components/form";
import { Entry, EntryHead, EntryList } from "../../components/list";
import { Notice } from "../../components/notice";
import { Page, PageHeader, useTitle } from "../../components/page";
import { EmptyState, QueryView } from "../../components/query-view";
import { Term } from "../../components/term";
import { useWrite } from "../../components/use-write";
import { t } from "../../lib/i18n/t";
import { formatMoney } from "../../lib/numbers";
import { ConnectionDialog } from "./connection-dialog";
import { apiName } from "./providers";

export function ConnectionsPage() {
  const project = useProject();
  useTitle(t("Connections"), project.name);
  const [adding, setAdding] = useState(false);
  const query = useQuery(read("/api/projects/{slug}/connections", { slug: project.slug }));
  const add = (
    <Button variant="primary" onClick={() => setAdding(true)}>
      {t("Connect a model")}
    </Button>
  );
  return (
    <Page width="reading">
      <PageHeader
        title={<Term name="connection">{t("Connections")}</Term>}
        lead={t(
          "Language models that judges can call. Assay tracks their costs and does not exceed your spending limits.",
        )}
        actions={query.data && query.data.length > 0 && add}
      />
      <QueryView query={query}>
        {(connections) =>
          connections.length === 0 ? (
            <EmptyState title={t("No model is connected")} action={add}>
              <p>
                {t(
                  "You can connect Anthropic, Google Gemini, and any server with an OpenAI-compatible API, such as OpenAI, Azure, vLLM, Ollama, or llama.cpp. Local models can also run in Assay itself. Only judges that use a language model need a connection.",
                )}
              </p>
            </EmptyState>
          ) : (
            <ConnectionList slug={project.slug} connections={connections} />
          )
        }
      </QueryView>
      {adding && <ConnectionDialog slug={project.slug} onClose={() => setAdding(false)} />}
    </Page>
  );
}

interface ConnectionListProps {
  readonly slug: string;
  readonly connections: readonly Connection[];
}

function ConnectionList({ slug, connections }: ConnectionListProps) {
  return (
    <EntryList>
      {connections.map((connection) => (
        <ConnectionRow key={connection.id} slug={slug} connection={connection} />
      ))}
    </EntryList>
  );
}

interface ConnectionRowProps {
  readonly slug: string;
  readonly connection: Connection;
}

function ConnectionRow({ slug, connection }: ConnectionRowProps) {
  const [open, setOpen] = useState<"change" | "archive" | null>(null);
  const attempt = useWrite(
    () =>
      post("/api/projects/{slug}/connections/{connection_id}/test", { slug, connection_id: connection.id }),
    { refusal: "renew", stale: [keyOf("/api/projects/{slug}/connections", { slug })] },
  );
  return (
    <Entry>
      <EntryHead>
        <h2>{connection.name}</h2>
        <span className="soft">{connection.model}</span>
      </EntryHead>
      <p className="soft">{placeWords(connection)}</p>
      {connection.api !== "transformers" && <p className="soft">{moneyWords(connection)}</p>}
      {attempt.data && (
        <Notice tone={attempt.data.works ? "success" : "danger"}>{trialWords(attempt.data)}</Notice>
      )}
      <Refusal error={attempt.error} />
      <div className="row-centered">
        <Button size="small" busy={attempt.isPending} onClick={() => attempt.mutate()}>
          {t("Test")}
        </Button>
        <Button size="small" onClick={() => setOpen("change")}>
          {t("Change")}
        </Button>
        <Button size="small" variant="quiet" onClick={() => setOpen("archive")}>
          {t("Remove")}
        </Button>
      </div>
      {open === "change" && (
        <ConnectionDialog slug={slug} connection={connection} onClose={() => setOpen(null)} />
      )}
      {open === "archive" && (
        <ArchiveDialog slug={slug} connection={connection} onClose={() => setOpen(null)} />
      )}
    </Entry>
  );
}

function ArchiveDialog({ slug, connection, onClose }: ConnectionRowProps & { readonly onClose: () => void }) {
  return (
    <ConfirmDialog
      title={t("Remove {name}?", { name: connection.name })}
      confirm={t("Remove")}
      onConfirm={() =>
        post("/api/projects/{slug}/connections/{connection_id}/archive", {
          slug,
          connection_id: connection.id,
        })
      }
      stale={[keyOf("/api/projects/{slug}/connections", { slug })]}
      onClose={onClose}
    >
      <p>
        {t(
          "This deletes the key. New runs can no longer use the connection. Verdicts from past runs are kept.",
        )}
      </p>
    </ConfirmDialog>
  );
}

function trialWords({ works, error, model, reply, seconds }: Trial): string {
  if (!works) return error;
  // A local model is not asked here: a worker loads it when a run needs it.
  if (seconds === null)
    return t("{model} is offered on this server. A worker loads it when a run starts.", { model });
  return t("The connection works. {model} replied “{reply}” after {seconds} s.", {
    model,
    reply,
    seconds: seconds?.toFixed(1) ?? "–",
  });
}

/** The API is named where it is not the one that most servers have. */
function placeWords(connection: Connection): string {
  const { api, base_url } = connection;
  if (api === "transformers") return apiName(api);
  const place =
    api === "openai" ? base_url : t("{name} API, {address}", { name: apiName(api), address: base_url });
  return `${place} · ${keyWords(connection)}`;
}

function keyWords({ has_key, key_last_four }: Connection): string {
  if (!has_key) return t("no key");
  // Of a short key nothing is told.
  return key_last_four ? t("key ending in {end}", { end: key_last_four }) : t("key saved");
}

function moneyWords(connection: Connection): string {
  const price = t("{input} input, {output} output per million tokens", {
    input: formatMoney(connection.input_price),
    output: formatMoney(connection.output_price),
  });
  const spent = t("{amount} spent", { amount: formatMoney(connection.spent) });
  const cap =
    connection.spend_cap === null
      ? t("no limit")
      : t("limit {amount}", { amount: formatMoney(connection.spend_cap) });
  return `${price} · ${spent}, ${cap}`;
}
