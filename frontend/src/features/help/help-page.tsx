/** The documentation, a page at a time, with all of its contents beside it, or what a search in it finds. */
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams, useRouter } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { read } from "../../api/client";
import type { HelpEntry } from "../../api/schema";
import { SearchForm } from "../../components/form";
import { Markdown } from "../../components/markdown";
import { Page, PageHeader, useTitle } from "../../components/page";
import { useSearchState } from "../../lib/search-state";
import { Contents } from "./contents";
import styles from "./help.module.css";
import { SearchResults } from "./search-results";

export function HelpPage() {
  const { name = "" } = useParams({ strict: false });
  const { data: contents } = useSuspenseQuery(read("/api/help"));
  const search = useSearchState();
  const words = search.read("search");
  return (
    <Page>
      <div className={styles["help"]}>
        <div className={styles["beside"]}>
          <SearchForm search={search} label="Search help" />
          <Contents entries={contents} current={name} />
        </div>
        <article className={styles["document"]}>
          {words === undefined ? (
            <Document name={name} contents={contents} />
          ) : (
            <SearchResults words={words} current={name} />
          )}
        </article>
      </div>
    </Page>
  );
}

interface DocumentProps {
  readonly name: string;
  readonly contents: readonly HelpEntry[];
}

function Document({ name, contents }: DocumentProps) {
  const { data: page } = useSuspenseQuery(read("/api/help/{name}", { name }));
  const router = useRouter();
  useTitle(page.title, "Help");
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const address = link?.getAttribute("href");
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!isPlain || !address?.startsWith("/help/")) return;
    event.preventDefault();
    router.history.push(address);
  };
  return (
    <>
      <PageHeader title={page.title} />
      {/* Its links are links; what is heard here only keeps the page from being loaded anew. */}
      <div onClick={follow}>
        <Markdown html={page.html} />
      </div>
      <Neighbors place={contents.findIndex((entry) => entry.name === name)} contents={contents} />
    </>
  );
}

interface NeighborsProps {
  readonly place: number;
  readonly contents: readonly HelpEntry[];
}

/** The pages before and after, in the order of the contents. */
function Neighbors({ place, contents }: NeighborsProps) {
  const [before, after] = [contents[place - 1], contents[place + 1]];
  return (
    <nav className={styles["neighbors"]} aria-label="Previous and next pages">
      {before && <Neighbor label="Previous" entry={before} />}
      {after && <Neighbor label="Next" entry={after} />}
    </nav>
  );
}

function Neighbor({ label, entry }: { readonly label: "Previous" | "Next"; readonly entry: HelpEntry }) {
  return (
    <p className={label === "Next" ? styles["next"] : undefined}>
      <span className="soft">{label}</span>
      <Link to="/help/$name" params={{ name: entry.name }}>
        {entry.title}
      </Link>
    </p>
  );
}
