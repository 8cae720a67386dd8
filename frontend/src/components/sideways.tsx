/** A frame that scrolls sideways where what it holds is wider, and says so: by its edges, and in words. */
import { type ReactNode, useEffect, useRef, useState } from "react";
import { t } from "../lib/i18n/t";
import styles from "./sideways.module.css";

interface SidewaysProps {
  readonly label: string;
  readonly children: ReactNode;
}

/** On which sides something is out of sight. */
interface Hidden {
  readonly before: boolean;
  readonly after: boolean;
}

export function Sideways({ label, children }: SidewaysProps) {
  const frame = useRef<HTMLDivElement>(null);
  const { before, after } = useHidden(frame);
  return (
    <div className={styles["frame"]} data-before={before || undefined} data-after={after || undefined}>
      {/* Screen readers are told by the region's name. */}
      <p className={styles["hint"]} aria-hidden="true">
        {t("Scroll sideways →")}
      </p>
      {/* A region that scrolls must be reachable by keyboard. */}
      <div
        ref={frame}
        className={styles["scroll"]}
        role="region"
        aria-label={before || after ? t("{name}, scrolls sideways", { name: label }) : label}
        tabIndex={0}
      >
        {children}
      </div>
    </div>
  );
}

/** Widths between pixels are rounded. */
const ALMOST = 2;

/** Tells what is out of sight, at first and whenever that changes; returns what ends it. */
function watchHidden(element: HTMLElement, tell: (hidden: Hidden) => void): () => void {
  const look = () => {
    const rest = element.scrollWidth - element.clientWidth - element.scrollLeft;
    tell({ before: element.scrollLeft > ALMOST, after: rest > ALMOST });
  };
  look();
  const observer = new ResizeObserver(look);
  observer.observe(element);
  for (const child of element.children) observer.observe(child);
  element.addEventListener("scroll", look, { passive: true });
  return () => {
    observer.disconnect();
    element.removeEventListener("scroll", look);
  };
}

function useHidden(frame: { readonly current: HTMLElement | null }): Hidden {
  const [hidden, setHidden] = useState<Hidden>({ before: false, after: false });
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    return watchHidden(element, (next) =>
      setHidden((last) => (last.before === next.before && last.after === next.after ? last : next)),
    );
  }, [frame]);
  return hidden;
}

/** Gives each table and block of code of a text that the server rendered such a frame; returns what ends it. */
export function frameWideParts(text: HTMLElement): () => void {
  const ends = [
    ...watchParts(text.querySelectorAll<HTMLElement>("table"), t("Table")),
    ...watchParts(text.querySelectorAll<HTMLElement>("pre"), t("Code")),
  ];
  return () => ends.forEach((end) => end());
}

/** Regions of one page are told apart by name: where there are several of a kind, they have numbers. */
function watchParts(parts: NodeListOf<HTMLElement>, kind: string): (() => void)[] {
  return [...parts].map((part, index) => {
    const scroll = framed(part);
    const name = parts.length > 1 ? `${kind} ${index + 1}` : kind;
    return watchHidden(scroll, (hidden) => say(scroll, hidden, name));
  });
}

/** The frame that a part has, or gets now. */
function framed(part: HTMLElement): HTMLElement {
  const own = part.closest<HTMLElement>("[data-sideways]");
  if (own) return own;
  const frame = document.createElement("div");
  const scroll = document.createElement("div");
  frame.className = styles["frame"] ?? "";
  scroll.className = styles["scroll"] ?? "";
  scroll.dataset["sideways"] = "";
  part.replaceWith(frame);
  const hint = document.createElement("p");
  hint.className = styles["hint"] ?? "";
  hint.ariaHidden = "true";
  hint.textContent = t("Scroll sideways →");
  frame.append(hint, scroll);
  scroll.append(part);
  return scroll;
}

/** A text has many tables: only what scrolls is a region, and in the way of the Tab key. */
function say(scroll: HTMLElement, { before, after }: Hidden, name: string): void {
  scroll.parentElement?.toggleAttribute("data-before", before);
  scroll.parentElement?.toggleAttribute("data-after", after);
  const told = { role: "region", tabindex: "0", "aria-label": t("{name}, scrolls sideways", { name }) };
  for (const [attribute, value] of Object.entries(told)) {
    if (before || after) scroll.setAttribute(attribute, value);
    else scroll.removeAttribute(attribute);
  }
}
