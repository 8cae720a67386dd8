/** A part of a page that opens: its heading and what is in it stand there; the rest is read once it is open. */
import { type ReactNode, useState } from "react";
import { useSearchState } from "../lib/search-state";
import styles from "./folded-section.module.css";

interface FoldedSectionProps {
  /** Its name in the address, so that a link opens it. */
  readonly name: string;
  readonly title: string;
  /** What is in it, in one sentence. */
  readonly about: string;
  /** What in the address is said of this part alone: an address that has it opens the part, too. */
  readonly keys?: readonly string[];
  readonly children: ReactNode;
}

const OPEN = "open";
const BETWEEN = ",";

export function FoldedSection({ name, title, about, keys = [], children }: FoldedSectionProps) {
  const search = useSearchState();
  const named = search.read(OPEN)?.split(BETWEEN) ?? [];
  const [isOpen, setIsOpen] = useState(
    () => named.includes(name) || keys.some((key) => search.read(key) !== undefined),
  );
  const toggle = (next: boolean) => {
    if (next === isOpen) return;
    setIsOpen(next);
    const others = named.filter((each) => each !== name);
    search.write({ [OPEN]: (next ? [...others, name] : others).join(BETWEEN) });
  };
  return (
    <section className={styles["part"]}>
      <details open={isOpen} onToggle={({ currentTarget }) => toggle(currentTarget.open)}>
        <summary className={styles["summary"]}>
          <h2>{title}</h2>
          <span className={styles["about"]}>{about}</span>
        </summary>
        {isOpen && <div className={styles["inside"]}>{children}</div>}
      </details>
    </section>
  );
}
