/** Webhooks of a project: addresses that hear of what happens in it. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import { Button } from "../../components/button";
import { EntryList } from "../../components/list";
import { Page, PageHeader, useTitle } from "../../components/page";
import { EmptyState, QueryView } from "../../components/query-view";
import { SecretDialog } from "../../components/secret-dialog";
import { t } from "../../lib/i18n/t";
import { AddDialog } from "./webhook-dialog";
import { WebhookEntry } from "./webhook-entry";
import { HELP } from "./words";

const ASK_AGAIN_AFTER = 5_000;

export function WebhooksPage() {
  const { slug, name } = useProject();
  useTitle(t("Webhooks"), name);
  const [isAdding, setAdding] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const query = useQuery({
    ...read("/api/projects/{slug}/webhooks", { slug }),
    refetchInterval: ASK_AGAIN_AFTER,
  });
  return (
    <Page>
      <PageHeader
        title={t("Webhooks")}
        lead={query.data && query.data.length > 0 && <Purpose />}
        actions={
          query.data && (
            <Button variant="primary" onClick={() => setAdding(true)}>
              {t("Add webhook")}
            </Button>
          )
        }
      />
      <QueryView query={query}>
        {(webhooks) =>
          webhooks.length === 0 ? (
            <EmptyState title={t("No webhooks yet")}>
              <Purpose />
            </EmptyState>
          ) : (
            <EntryList>
              {webhooks.map((webhook) => (
                <WebhookEntry key={webhook.id} slug={slug} webhook={webhook} showSecret={setSecret} />
              ))}
            </EntryList>
          )
        }
      </QueryView>
      {isAdding && (
        <AddDialog
          slug={slug}
          onAdded={(added) => {
            setAdding(false);
            setSecret(added.secret);
          }}
          onClose={() => setAdding(false)}
        />
      )}
      {secret !== null && (
        <SecretDialog
          title={t("Copy the webhook’s secret")}
          about={t(
            "Your program needs this secret to verify messages. Copy it now. Assay will not show it again.",
          )}
          label={t("Secret")}
          name={t("secret")}
          secret={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </Page>
  );
}

function Purpose() {
  return (
    <p>
      {t(
        "A webhook tells another program when decisions change, when answers wait for adjudication, when a judge run finishes, fails, or is paused, and when an export is ready.",
      )}{" "}
      <a href={`/help/${HELP}`} target="_blank" rel="noreferrer">
        {t("How webhooks work")}
      </a>
    </p>
  );
}
