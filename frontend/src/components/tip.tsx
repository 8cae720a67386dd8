/** An explanation beside a word: open while the word is pointed at, has the focus or was tapped. */
import {
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { HelpPlace } from "../api/help-places";
import { t } from "../lib/i18n/t";
import styles from "./tip.module.css";

export interface Explanation {
  readonly about: string;
  /** Where the help says more. */
  readonly see?: HelpPlace | "" | undefined;
}

interface TipProps extends Explanation {
  /** The word, as something that takes the focus, told what explains it. */
  readonly children: (told: { readonly "aria-describedby": string | undefined }) => ReactNode;
}

export function Tip({ about, see, children }: TipProps) {
  const id = useId();
  const whole = useRef<HTMLSpanElement>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  const holdsFocus = () => whole.current?.matches(":has(:focus-visible)") ?? false;
  return (
    <span
      ref={whole}
      className={styles["whole"]}
      // A finger taps; what follows it as hovering does not count.
      onPointerEnter={({ pointerType }) => pointerType === "mouse" && setOpen(true)}
      onPointerLeave={({ pointerType }) => pointerType === "mouse" && !holdsFocus() && close()}
      onFocus={() => setOpen(true)}
      onBlur={({ currentTarget, relatedTarget }) => {
        if (!currentTarget.contains(relatedTarget)) close();
      }}
      onClick={() => setOpen(true)}
    >
      {children({ "aria-describedby": isOpen ? id : undefined })}
      {isOpen && <Explaining id={id} about={about} see={see} of={whole} onClose={close} />}
    </span>
  );
}

interface WordProps extends Explanation {
  /** For what it names. */
  readonly id?: string;
  readonly children: ReactNode;
}

/**
 * A word that does nothing but explain itself. No button element: browsers lay one out as a box, which breaks
 * with no line, and the full stop behind it could stand alone on the next one.
 */
export function Word({ id, children, ...explanation }: WordProps) {
  return (
    <Tip {...explanation}>
      {(told) => (
        <span
          role="button"
          tabIndex={0}
          id={id}
          className={styles["word"]}
          onKeyDown={pressAsButton}
          {...told}
        >
          {children}
        </span>
      )}
    </Tip>
  );
}

function pressAsButton(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  event.currentTarget.click();
}

interface ExplainingProps extends Explanation {
  readonly id: string;
  readonly of: React.RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

function Explaining({ id, about, see, of, onClose }: ExplainingProps) {
  const tip = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const put = () => {
      const word = of.current?.firstElementChild;
      if (tip.current && word) putBeside(tip.current, word);
    };
    tip.current?.showPopover();
    put();
    window.addEventListener("scroll", put, { capture: true, passive: true });
    return () => window.removeEventListener("scroll", put, { capture: true });
  }, [of]);
  useEffect(() => {
    const leave = (event: PointerEvent) => {
      if (event.target instanceof Node && !of.current?.contains(event.target)) onClose();
    };
    // Before the page and a dialog around it hear the key: it closes this alone.
    const dismiss = (event: globalThis.KeyboardEvent) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      onClose();
    };
    document.addEventListener("pointerdown", leave, true);
    document.addEventListener("keydown", dismiss, true);
    return () => {
      document.removeEventListener("pointerdown", leave, true);
      document.removeEventListener("keydown", dismiss, true);
    };
  }, [of, onClose]);
  return (
    <span ref={tip} popover="manual" className={styles["tip"]} data-screen-only>
      <span className={styles["box"]}>
        <span role="tooltip" id={id}>
          {about}
        </span>
        {see && (
          <a href={`/help/${see}`} target="_blank" rel="noreferrer">
            {t("Learn more")}
          </a>
        )}
      </span>
    </span>
  );
}

const MARGIN = 8;

/**
 * Above the word, or below where there is no room above; inside the window, and touching the word. Below a
 * page's title, whose other side is the navigation: the pointer comes from there and wants to go back.
 */
function putBeside(tip: HTMLElement, word: Element): void {
  const { top, bottom, left } = word.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const most = document.documentElement.clientWidth - width - MARGIN;
  tip.style.left = `${Math.max(MARGIN, Math.min(left, most))}px`;
  const isBelow = top <= height + MARGIN || word.closest("h1") !== null;
  tip.style.top = `${isBelow ? bottom : top - height}px`;
}
