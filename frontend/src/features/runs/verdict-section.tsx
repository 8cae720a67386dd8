/** The verdicts of a run, page by page, with the raw reply beside each. */
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { read, type Query } from "../../api/client";
import type { Run } from "../../api/schema";
import { CsvButton } from "../../components/csv-button";
import { Select } from "../../components/form";
import { Pagination } from "../../components/pagination";
import { QueryView, Skeleton } from "../../components/query-view";
import { namePage } from "../../lib/csv";
import { countOf } from "../../lib/numbers";
import { type SearchState, useSearchState } from "../../lib/search-state";
import styles from "./run-page.module.css";
import { reasonWords } from "./run-words";
import { verdictCsv, VerdictTable } from "./verdict-table";

type VerdictFilter = Query<"/api/projects/{slug}/runs/{run_id}/verdicts">;

interface VerdictSectionProps {
  readonly slug: string;
  readonly run: Run;
}

export function VerdictSection({ slug, run }: VerdictSectionProps) {
  const search = useSearchState();
  const verdicts = read(
    "/api/projects/{slug}/runs/{run_id}/verdicts",
    { slug, run_id: run.id },
    filterOf(search),
  );
  const query = useQuery({
    ...verdicts,
    // A run at work is read anew as it goes on.
    queryKey: [...verdicts.queryKey, `${run.done} judged`],
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <VerdictFilterFields search={search} run={run} />
      <QueryView query={query} loading={<Skeleton lines={8} />}>
        {(found) =>
          found.count === 0 ? (
            <p className={styles["soft"]}>No verdict fits.</p>
          ) : (
            <>
              <p className={styles["soft"]}>{countOf(found.count, "verdict")}</p>
              <VerdictTable verdicts={found.verdicts} />
              <div>
                <CsvButton name={namePage("verdicts", found)} rows={found.verdicts.map(verdictCsv)} />
              </div>
              <Pagination
                label="Pages of verdicts"
                page={found.page}
                pageCount={found.page_count}
                onChange={(page) => search.write({ page: page === 1 ? undefined : page })}
              />
            </>
          )
        }
      </QueryView>
    </>
  );
}

function filterOf(search: SearchState): VerdictFilter {
  const verdict = search.read("verdict") as VerdictFilter["verdict"];
  const reason = search.read("reason");
  const flag = search.read("flag");
  return {
    page: search.readNumber("page", 1),
    ...(verdict && { verdict }),
    ...(reason && { reason }),
    ...(flag && { flag }),
  };
}

function VerdictFilterFields({ search, run }: { readonly search: SearchState; readonly run: Run }) {
  return (
    <div className={styles["filter"]}>
      <Select
        label="Verdict"
        value={search.read("verdict") ?? ""}
        onChange={(event) =>
          search.write({ verdict: event.target.value, reason: undefined, page: undefined })
        }
      >
        <option value="">Any</option>
        <option value="accepted">Accepted</option>
        <option value="rejected">Rejected</option>
        <option value="unscored">Could not judge</option>
      </Select>
      {run.failures.length > 0 && (
        <Select
          label="Why not judged"
          value={search.read("reason") ?? ""}
          onChange={(event) =>
            search.write({ reason: event.target.value, verdict: undefined, page: undefined })
          }
        >
          <option value="">Any reason</option>
          {run.failures.map(({ reason }) => (
            <option key={reason} value={reason}>
              {reasonWords(reason)}
            </option>
          ))}
        </Select>
      )}
    </div>
  );
}
