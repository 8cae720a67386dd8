/** All pages of the help by part, with the sections of the one that is open. */
import { Link, useLocation } from "@tanstack/react-router";
import { useEffect, useId, useRef, useState } from "react";
import type { HelpEntry } from "../../api/schema";
import { Button } from "../../components/button";
import { classNames } from "../../lib/class-names";
import styles from "./help.module.css";

interface ContentsProps {
  readonly entries: readonly HelpEntry[];
  readonly current: string;
}

/** How much of what comes before the open page stays in sight, in pixels. */
const ABOVE = 120;

const partsOf = (entries: readonly HelpEntry[]) => [...new Set(entries.map(({ part }) => part))];

/** Beside the page where there is room; elsewhere a button opens them above it, until a page is chosen. */
export function Contents({ entries, current }: ContentsProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(false);
  const href = useLocation({ select: (location) => location.href });
  useEffect(() => setIsOpen(false), [href]);
  const list = useRef<HTMLElement>(null);
  useEffect(() => {
    const entry = list.current?.querySelector<HTMLElement>(`[data-name="${current}"]`);
    // Only the list moves, not the window.
    if (list.current && entry) list.current.scrollTop = entry.offsetTop - list.current.offsetTop - ABOVE;
  }, [current]);
  return (
    <nav ref={list} className={styles["contents"]} aria-label="Help contents">
      <div className={styles["opener"]}>
        <Button aria-expanded={isOpen} aria-controls={id} onClick={() => setIsOpen(!isOpen)}>
          Contents <span aria-hidden="true">{isOpen ? "▴" : "▾"}</span>
        </Button>
      </div>
      <div id={id} className={classNames(styles["parts"], isOpen && styles["isOpen"])}>
        {partsOf(entries).map((part) => (
          <Part key={part} part={part} entries={entries} current={current} />
        ))}
      </div>
    </nav>
  );
}

function Part({ part, entries, current }: ContentsProps & { readonly part: string }) {
  return (
    <>
      <p className="soft">{part}</p>
      <ul>
        {entries
          .filter((entry) => entry.part === part)
          .map((entry) => (
            <li key={entry.name} data-name={entry.name}>
              <Link
                to="/help/$name"
                params={{ name: entry.name }}
                activeOptions={{ includeSearch: false }}
                className={styles["page"]}
              >
                {entry.title}
              </Link>
              {entry.name === current && <Sections entry={entry} />}
            </li>
          ))}
        {entries.some(({ name, part: its }) => name === "api" && its === part) && (
          <li>
            <a href="/api/docs" className={styles["page"]}>
              All API operations
            </a>
          </li>
        )}
      </ul>
    </>
  );
}

function Sections({ entry: { name, sections } }: { readonly entry: HelpEntry }) {
  return (
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
  );
}
