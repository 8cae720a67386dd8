/** Who changed what in a project: everything that leads and adjudicators did, newest first. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { get, read, readPages } from "../../api/client";
import { useProject } from "../../api/project";
import type { ActivityEntry } from "../../api/schema";
import { Page, PageHeader, useTitle } from "../../components/page";
import { Pagination } from "../../components/pagination";
import { EmptyState, QueryView, Skeleton } from "../../components/query-view";
import { RelativeTime } from "../../components/relative-time";
import { type Column, Table } from "../../components/table";
import { useSearchState } from "../../lib/search-state";
import { DONE } from "./activity-words";

const ACTIVITY = "/api/projects/{slug}/activity";

export function ActivityPage() {
  const { slug, name } = useProject();
  useTitle("Activity", name);
  const cursor = useSearchState().read("cursor");
  const query = useQuery({
    ...read(ACTIVITY, { slug }, { cursor }),
    placeholderData: keepPreviousData,
  });
  const readAll = () =>
    readPages(
      (asked) => get(ACTIVITY, { slug }, asked),
      (found) => found.entries,
    );
  return (
    <Page>
      <PageHeader
        title="Activity"
        lead="Changes by leads and adjudicators, newest first. Annotators’ work is not listed. Only leads see this page."
      />
      <QueryView query={query} loading={<Skeleton lines={8} />}>
        {(found) =>
          found.count === 0 ? (
            <EmptyState title="No changes yet">
              <p>Changes to this project appear here.</p>
            </EmptyState>
          ) : (
            <>
              <Table
                folds
                keepsOrder
                caption="Activity"
                columns={COLUMNS}
                rows={found.entries}
                rowKey={({ id }) => String(id)}
                file={{ name: "activity", readAll }}
              />
              <Pagination label="Pages of activity" of={found} shown={found.entries.length} />
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

const COLUMNS: readonly Column<ActivityEntry>[] = [
  {
    key: "time",
    header: "Time",
    cell: ({ begun_at: at }) => <RelativeTime at={at} />,
    value: ({ begun_at: at }) => at,
  },
  { key: "person", header: "Person", value: personOf },
  {
    key: "action",
    header: "Action",
    isRowHeader: true,
    cell: (entry) => <Action entry={entry} />,
    csv: ({ operation, place, finished_at: at, request_id }) => ({
      action: operation,
      place,
      finished_at: at ?? "",
      request_id,
    }),
  },
];

function personOf({ person, token }: ActivityEntry): string {
  return token ? `${person}, with the API token “${token}”` : person;
}

function Action({ entry }: { readonly entry: ActivityEntry }) {
  return (
    <>
      <span>{DONE[entry.operation] ?? entry.operation}</span>
      {entry.finished_at === null && (
        <p className="soft">
          Not finished. The server may still be working on this action, or the action may have failed or been
          interrupted.
        </p>
      )}
    </>
  );
}
