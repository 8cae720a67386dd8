/** The documentation, a page at a time, with all of its contents beside it. */
import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams, useRouter } from "@tanstack/react-router";
import type { MouseEvent } from "react";
import { read } from "../../api/client";
import type { HelpEntry } from "../../api/schema";
import { Markdown } from "../../components/markdown";
import { Page, PageHeader, useTitle } from "../../components/page";
import styles from "./help.module.css";

export function HelpPage() {
  const { name = "" } = useParams({ strict: false });
  const { data: page } = useSuspenseQuery(read("/api/help/{name}", { name }));
  const { data: contents } = useSuspenseQuery(read("/api/help"));
  useTitle(page.title, "Help");
  return (
    <Page>
      <div className={styles["help"]}>
        <article className={styles["document"]}>
          <PageHeader
            title={page.title}
            actions={
              <a href="#contents" className={styles["toContents"]}>
                Contents
              </a>
            }
          />
          <Document html={page.html} />
        </article>
        <nav id="contents" className={styles["contents"]} aria-label="Help contents">
          <Contents
            title="Help"
            entries={contents.filter((entry) => !entry.is_for_operators)}
            current={name}
          />
          <Contents
            title="For administrators"
            entries={contents.filter((entry) => entry.is_for_operators)}
            current={name}
          />
        </nav>
      </div>
    </Page>
  );
}

function Document({ html }: { readonly html: string }) {
  const router = useRouter();
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const address = link?.getAttribute("href");
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (!isPlain || !address?.startsWith("/help/")) return;
    event.preventDefault();
    router.history.push(address);
  };
  return (
    // Its links are links; what is heard here only keeps the page from being loaded anew.
    <div onClick={follow}>
      <Markdown html={html} />
    </div>
  );
}

interface ContentsProps {
  readonly title: string;
  readonly entries: readonly HelpEntry[];
  readonly current: string;
}

function Contents({ title, entries, current }: ContentsProps) {
  return (
    <>
      <p className="soft">{title}</p>
      <ul>
        {entries.map(({ name, title: words, sections }) => (
          <li key={name}>
            <Link to="/help/$name" params={{ name }} className={styles["page"]}>
              {words}
            </Link>
            {name === current && (
              <ul className={styles["sections"]}>
                {sections.map((section) => (
                  <li key={section.id}>
                    <Link
                      to="/help/$name"
                      params={{ name }}
                      hash={section.id}
                      activeOptions={{ includeHash: true }}
                      className={styles["section"]}
                    >
                      {section.title}
                    </Link>
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
