/** Where the focus is in a pane decides what Enter does: it stays in the pane, and on no button by accident. */
import { type FocusEvent, type MouseEvent, useEffect, useRef } from "react";

const PRESSED_BY_ENTER = "button, a[href], summary";

/** Takes the focus from what Enter would press, so that Enter is the command that the page names. */
export function freeEnter(place: HTMLElement | null): void {
  if (document.activeElement?.closest(PRESSED_BY_ENTER)) place?.focus({ preventScroll: true });
}

/**
 * Keeps the focus in a pane when what had it is gone because something else is shown there, and off what was
 * clicked: only what was reached by keyboard is pressed by Enter.
 */
export function useKeptFocus(shown: string) {
  const pane = useRef<HTMLDivElement>(null);
  const isInside = useRef(false);
  useEffect(() => {
    if (isInside.current && document.activeElement === document.body) pane.current?.focus();
  }, [shown]);
  return {
    ref: pane,
    tabIndex: -1,
    onFocus: () => {
      isInside.current = true;
    },
    onBlur: (event: FocusEvent) => {
      isInside.current = pane.current?.contains(event.relatedTarget) ?? false;
    },
    onClick: (event: MouseEvent) => {
      const isByMouse = event.detail > 0;
      const isInDialog = event.target instanceof Element && event.target.closest("dialog") !== null;
      if (isByMouse && !isInDialog) freeEnter(pane.current);
    },
  };
}
