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

function useHidden(frame: { readonly current: HTMLElement | null }): Hidden {
  const [hidden, setHidden] = useState<Hidden>({ before: false, after: false });
  useEffect(() => {
    const element = frame.current;
    if (!element) return undefined;
    const look = () => {
      const rest = element.scrollWidth - element.clientWidth - element.scrollLeft;
      const next = { before: element.scrollLeft > ALMOST, after: rest > ALMOST };
      setHidden((last) => (last.before === next.before && last.after === next.after ? last : next));
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
  }, [frame]);
  return hidden;
}
