/** Listens for the keys of commands while a page is shown. */
import { useEffect, useRef } from "react";
import { type Command, canRun, findCommand } from "./commands";
import { shortcutsEnabled } from "./key-settings";

const NOT_TYPED_IN = new Set(["radio", "checkbox", "button", "submit", "reset", "file", "range", "color"]);

/** Whether keys typed here belong to a field. */
export function isField(target: EventTarget | null): target is HTMLElement {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !NOT_TYPED_IN.has(target.type);
  return (
    target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement || target.isContentEditable
  );
}

function pressesItself(event: KeyboardEvent): boolean {
  const isPress = event.key === "Enter" || event.key === " ";
  return (
    isPress &&
    event.target instanceof Element &&
    event.target.closest("button, [role='button'], a[href], summary") !== null
  );
}

function handleKey(event: KeyboardEvent, commands: readonly Command[]): void {
  if (event.defaultPrevented || event.isComposing) return;
  if (document.querySelector("dialog[open][data-modal]") !== null) return;
  if (isField(event.target)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (pressesItself(event)) return;
  // Only single keys are turned off: with Ctrl nobody presses them by accident, nor does dictation.
  if (!shortcutsEnabled() && !event.ctrlKey && !event.metaKey) return;
  const command = findCommand(commands, event);
  if (command === null) return;
  event.preventDefault();
  if (!event.repeat || command.keys.includes("j") || command.keys.includes("k")) {
    if (canRun(command)) command.run();
  }
}

/** Runs the commands of this page by key: silent while a field has the focus or a dialog is open. */
export function useCommands(commands: readonly Command[]): void {
  const latest = useRef(commands);
  useEffect(() => {
    latest.current = commands;
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent) => handleKey(event, latest.current);
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, []);
}
