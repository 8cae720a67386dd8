/** What webhooks are told of, and how a message stands, in words. */
import type { DeliveryRecord, EventsEnum } from "../../api/schema";
import type { HelpPlace } from "../../api/help-places";
import { optionsOf } from "../../components/form";
import { t } from "../../lib/i18n/t";

export const HELP: HelpPlace = "api#webhooks";

const EVENTS = {
  "item.decided": "Answers were decided or reopened, or decisions were undone",
  "queue.grew": "More answers are waiting for adjudication",
  "run.finished": "A judge run finished, failed, or was paused",
  "export.ready": "An export is ready to download",
} as const satisfies Record<EventsEnum, string>;

export function eventOptions() {
  return optionsOf<EventsEnum>({
    "item.decided": t(EVENTS["item.decided"]),
    "queue.grew": t(EVENTS["queue.grew"]),
    "run.finished": t(EVENTS["run.finished"]),
    "export.ready": t(EVENTS["export.ready"]),
  });
}

function isEvent(event: string): event is EventsEnum {
  return Object.hasOwn(EVENTS, event);
}

/** Also of the test, which no webhook chooses. */
export function eventWords(event: string): string {
  return isEvent(event) ? t(EVENTS[event]) : t("Test message");
}

/** Whether the first try is still to come, which takes a moment. */
export function isBeingSent({ state, tries }: Pick<DeliveryRecord, "state" | "tries">): boolean {
  return state === "waiting" && tries === 0;
}
