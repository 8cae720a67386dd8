/** What a search in the help found: each result leads to its heading. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { read } from "../../api/client";
import type { HelpHit, HelpHits } from "../../api/schema";
import { PageHeader, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import styles from "./help.module.css";

interface SearchResultsProps {
  readonly words: string;
  /** The page that was open, to go back to. */
  readonly current: string;
}

export function SearchResults({ words, current }: SearchResultsProps) {
  const query = useQuery(read("/api/help/search", {}, { search: words }));
  useTitle(words, "Help");
  return (
    <>
      <PageHeader
        title={`Search results for “${words}”`}
        actions={
          <Link to="/help/$name" params={{ name: current }}>
            Close search
          </Link>
        }
      />
      <QueryView query={query}>{(found) => <Results found={found} />}</QueryView>
    </>
  );
}

function Results({ found: { total, hits } }: { readonly found: HelpHits }) {
  if (total === 0)
    return <p role="status">No section contains all of these words. Try fewer or shorter words.</p>;
  return (
    <>
      <p role="status" className="soft">
        {total === 1 ? "1 section" : `${total} sections`}
        {total > hits.length && `; the first ${hits.length} are shown. Add a word to narrow the search.`}
      </p>
      <ol className={styles["results"]}>
        {hits.map((hit) => (
          <li key={`${hit.page}#${hit.section}`}>
            <Result hit={hit} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Result({ hit }: { readonly hit: HelpHit }) {
  return (
    <>
      <Link to="/help/$name" params={{ name: hit.page }} hash={hit.section}>
        {hit.title}
      </Link>
      {hit.section && <span className="soft"> · {hit.page_title}</span>}
      <p>{hit.excerpt}</p>
    </>
  );
}
