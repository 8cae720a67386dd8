/** What every test needs before it runs. */
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach } from "vitest";
import { setCatalog } from "../lib/i18n/catalog";

// Pages are loaded when first opened, which takes longer on a busy machine.
configure({ asyncUtilTimeout: 30_000 });

// jsdom knows <dialog> but not its methods.
HTMLDialogElement.prototype.showModal = function (this: HTMLDialogElement) {
  this.open = true;
};
HTMLDialogElement.prototype.close = function (this: HTMLDialogElement) {
  if (!this.open) return;
  this.open = false;
  this.dispatchEvent(new Event("close"));
};
// It hides popovers, and cannot show them.
HTMLElement.prototype.showPopover = function (this: HTMLElement) {
  this.removeAttribute("popover");
};
Element.prototype.scrollIntoView = () => undefined;
window.scrollTo = () => undefined;
// jsdom lays nothing out, so no size changes and nothing is drawn to one.
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
};

afterEach(() => {
  cleanup();
  setCatalog("en", { messages: {}, errors: {} });
  localStorage.clear();
});
