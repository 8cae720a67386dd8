/** What the rater's desk shows, and what it asks of the server. */
import type { Outcome, Progress, Sheet, Skip, Submission, Work } from "../../api/contract";
import type { ApiError } from "../../api/error";
import { plural, t } from "../../lib/i18n/t";

export interface SheetOperations {
  readonly next: (ahead: number) => Promise<Work>;
  readonly submit: (sheetId: string, body: Submission) => Promise<Work>;
  readonly skip: (sheetId: string, body: Skip) => Promise<Work>;
  readonly undo: (ahead: number) => Promise<Work>;
}

export interface Notice {
  readonly text: string;
  readonly tone: "info" | "error";
}

export interface DeskState {
  readonly sheets: readonly Sheet[];
  readonly progress: Progress | null;
  readonly nothingLeft: boolean;
  readonly loading: boolean;
  readonly loadError: unknown;
  /** Handed in, not yet acknowledged. */
  readonly waiting: number;
  /** Why waiting work does not move; null while it does. */
  readonly trouble: ApiError | null;
  readonly notice: Notice | null;
  readonly undoing: boolean;
  /** Names guidelines to be read before going on; empty where there are none. */
  readonly guidelinesUnread: string;
  /** A pilot goes on: nothing else comes before the lead ends it. */
  readonly inPilot: boolean;
}

export const INITIAL: DeskState = {
  sheets: [],
  progress: null,
  nothingLeft: false,
  loading: true,
  loadError: null,
  waiting: 0,
  trouble: null,
  notice: null,
  undoing: false,
  guidelinesUnread: "",
  inPilot: false,
};

/** The desk's one line on where the work is. */
export function savedWords({ waiting, trouble }: DeskState): string {
  if (trouble === null) return waiting === 0 ? t("saved") : t("saving");
  const sheets = plural(waiting, "{count} sheet", "{count} sheets");
  if (trouble.kind === "network" && waiting === 0) return t("no connection: go on, your work is kept here");
  if (trouble.kind === "network") return t("no connection: {sheets} kept here, sent later", { sheets });
  if (trouble.kind === "signed_out") return t("signed out: {sheets} kept here", { sheets });
  return t("not saved yet: {sheets} kept here", { sheets });
}

/** One giving of a sheet: it may come again with other answers. */
export function versionKey({ id, version }: Sheet): string {
  return `${id}.${version}`;
}

/** What a rater is to know of what became of a sheet; empty where it was taken in as it was given. */
export function outcomeWords({ surplus, came_back: cameBack, unblinded }: Outcome): string {
  if (unblinded) {
    return t(
      "You have seen who wrote what, or how others judged, since you were given this sheet. Your labels are kept, but they do not count, and other raters are asked.",
    );
  }
  const again = t(
    "You were given this sheet again meanwhile, with other answers. Your labels are kept; what you had judged in another tab already stands as you said it there.",
  );
  return [surplus > 0 ? surplusWords(surplus) : "", cameBack ? again : ""].filter(Boolean).join(" ");
}

/** Why some of the labels on a sheet do not count. */
function surplusWords(count: number): string {
  return plural(
    count,
    "Your time for this sheet had run out and others have judged {count} of its answers meanwhile. Your labels are kept, but that one does not count.",
    "Your time for this sheet had run out and others have judged {count} of its answers meanwhile. Your labels are kept, but these do not count.",
  );
}
