/** The rater's desk: the sheets at hand, the work on its way to the server, and what became of it. */
import type {
  BlindSheet,
  Draft,
  FlagKindEnum,
  Outcome,
  Progress,
  SkipRequest,
  SubmitRequest,
  Work,
} from "../../api/schema";
import { ApiError, isPassing, messageOf, networkError } from "../../api/error";
import { plural, t } from "../../lib/i18n/t";
import { isRecord, readStored, removeStored, storedKeys, writeStored } from "../../lib/storage";
import { nextOutlook, type Outlook } from "./outlook";
import type { SheetWork } from "./sheet-work";

/** One that hands a sheet in says what that came to. */
type Reply = Work & { readonly outcome?: Outcome };

const RETRY_MS = 8_000;

export class Desk {
  private state = INITIAL;
  private readonly listeners = new Set<() => void>();
  private flushing: Promise<void> | null = null;
  private isPrefetching = false;
  /** Versions done with here: a reply that was on its way meanwhile may still name them. */
  private readonly handedIn = new Set<string>();
  /** Replies that were on their way meanwhile may still ask for these. */
  private guidelinesRead = "";
  private retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly operations: SheetOperations,
    private readonly outbox: Outbox,
    /** When work that is kept here may be sent. */
    private readonly whenSeen: (act: () => void) => void = (act) => act(),
  ) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };

  readonly snapshot = (): DeskState => this.state;

  /** Sends what an earlier visit left, then takes sheets. */
  async open(): Promise<void> {
    this.change({ loading: true, loadError: null, waiting: this.outbox.entries().length });
    await this.flush();
    await this.refill();
  }

  close(): void {
    clearTimeout(this.retryTimer);
  }

  /** Takes the sheet off the desk at once; the server is told behind the scenes, once the next one is seen. */
  hand(entry: OutboxEntry): void {
    if (!this.outbox.put(entry)) {
      this.tell(
        t("This browser cannot save your work. Stay on this page until everything is sent."),
        "error",
      );
    }
    this.handedIn.add(versionKey(entry.sheet));
    const sheets = this.state.sheets.filter((sheet) => sheet.id !== entry.sheet.id);
    this.change({ sheets, waiting: this.outbox.entries().length });
    this.whenSeen(() => void this.flush());
  }

  /** Sends waiting work in order; stops at the first trouble that may pass. */
  flush(): Promise<void> {
    clearTimeout(this.retryTimer);
    this.flushing ??= this.sendAll().finally(() => {
      this.flushing = null;
      this.change({ waiting: this.outbox.entries().length });
      if (this.state.trouble === null && this.outbox.entries().length > 0) void this.flush();
      else void this.prefetch();
    });
    return this.flushing;
  }

  /** Asks for sheets where fewer are at hand than wanted. */
  async refill(): Promise<void> {
    if (this.state.sheets.length >= SHEETS_HELD) return this.prefetch();
    this.change({ loading: true });
    try {
      this.absorb(await this.operations.next(SHEETS_HELD));
      this.change({ loading: false, loadError: null });
      this.askAgainWhereUnsure();
      void this.prefetch();
    } catch (error) {
      this.change({ loading: false, loadError: error });
    }
  }

  /** Takes more sheets behind the scenes, a few at a time, so that work goes on where the network is lost. */
  private async prefetch(): Promise<void> {
    if (this.isPrefetching) return;
    this.isPrefetching = true;
    try {
      for (let ahead = this.nextStep(); ahead > 0; ahead = this.nextStep()) {
        const held = this.state.sheets.length;
        this.absorb(await this.operations.next(ahead));
        if (this.state.sheets.length <= held) break;
      }
    } catch {
      // Nobody waits for these sheets; whatever is wrong shows when the next one is handed in.
    } finally {
      this.isPrefetching = false;
    }
  }

  private nextStep(): number {
    const { sheets, progress, waiting, trouble, undoing, guidelinesUnread } = this.state;
    // What waits to be sent still counts as held on the server.
    if (waiting > 0 || trouble !== null || undoing || progress === null) return 0;
    if (guidelinesUnread !== "") return 0;
    return nextStep(sheets.length, progress);
  }

  /** Another tab may have taken what was handed out; there is more all the same. */
  private askAgainWhereUnsure(): void {
    const { sheets, nothingLeft, waiting, guidelinesUnread } = this.state;
    if (sheets.length > 0 || nothingLeft || waiting > 0 || guidelinesUnread !== "") return;
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => void this.refill(), RETRY_MS / 4);
  }

  /** After an absence: prefetched sheets whose lease ended are asked for again. */
  async returnToWork(now: Date): Promise<void> {
    await this.flush();
    // Without a connection there is nothing better to judge than what is here.
    if (this.state.trouble !== null) return;
    const [current, ...ahead] = this.state.sheets;
    const held = ahead.filter((sheet) => new Date(sheet.lease_expires_at) > now);
    this.change({ sheets: current ? [current, ...held] : [] });
    await this.refill();
  }

  /** The browser says that the network is gone, before anything was tried. */
  loseConnection(): void {
    this.change({ trouble: networkError() });
  }

  async undo(): Promise<void> {
    if (this.state.undoing) return;
    this.change({ undoing: true, notice: null });
    try {
      if (!this.takeBackUnsent()) await this.takeBackSent();
    } finally {
      this.change({ undoing: false });
    }
  }

  /** The lead was told; the sheet says so. */
  markFlagged(sheetId: string, kind: FlagKindEnum): void {
    const mark = (sheet: BlindSheet) =>
      sheet.id === sheetId
        ? { ...sheet, question: { ...sheet.question, flags: [...sheet.question.flags, kind] } }
        : sheet;
    this.change({ sheets: this.state.sheets.map(mark) });
  }

  /** The server knows that they were read: work goes on, with sheets that come only now. */
  async markGuidelinesRead(): Promise<void> {
    this.guidelinesRead = this.state.guidelinesUnread;
    this.change({ guidelinesUnread: "" });
    await this.refill();
  }

  dismissNotice(): void {
    this.change({ notice: null });
  }

  /** Work that was never sent comes back without asking the server. */
  private takeBackUnsent(): boolean {
    const last = this.outbox.entries().at(-1);
    if (last === undefined || last.attempted) return false;
    this.outbox.remove(last.key);
    this.putInFront(last);
    this.tell(t("Undone."), "info");
    return true;
  }

  private async takeBackSent(): Promise<void> {
    await this.flush();
    if (this.outbox.entries().length > 0) {
      this.tell(
        t("Your last submission has not been sent yet. You can undo it when you are online again."),
        "error",
      );
      return;
    }
    try {
      const work = await this.operations.undo(SHEETS_HELD);
      const first = work.sheets[0];
      if (first) removeDraft(first.id);
      for (const sheet of work.sheets) this.handedIn.delete(versionKey(sheet));
      this.change({ sheets: [] });
      this.absorb(work);
      this.tell(t("Undone. Make your changes and confirm again."), "info");
    } catch (error) {
      this.tell(messageOf(error), "error");
    }
  }

  private async sendAll(): Promise<void> {
    for (let entry = this.outbox.entries()[0]; entry; entry = this.outbox.entries()[0]) {
      try {
        await this.send(entry);
      } catch (error) {
        if (!this.refused(entry, error)) return;
        await this.refill();
      }
    }
    this.change({ trouble: null });
  }

  private async send(entry: OutboxEntry): Promise<void> {
    if (!entry.attempted) this.outbox.put({ ...entry, attempted: true });
    const work = await this.request(entry);
    this.outbox.remove(entry.key);
    removeDraft(entry.sheet.id);
    this.change({ trouble: null, waiting: this.outbox.entries().length });
    this.absorb(work);
    const words = work.outcome ? outcomeWords(work.outcome) : "";
    if (words !== "") this.tell(words, "info");
  }

  private request(entry: OutboxEntry): Promise<Reply> {
    const common = { submission_key: entry.key, version: entry.sheet.version, ahead: SHEETS_HELD };
    if (entry.act.kind === "skip") {
      return this.operations.skip(entry.sheet.id, { ...common, reason: entry.act.reason });
    }
    const { judgments, seconds } = entry.act;
    return this.operations.submit(entry.sheet.id, { ...common, ...judgments, seconds });
  }

  /** Whether the server has refused for good, so that the next can go; otherwise the work waits. */
  private refused(entry: OutboxEntry, error: unknown): boolean {
    const problem = error instanceof ApiError ? error : new ApiError("bug", "page", messageOf(error));
    if (
      isPassing(problem) ||
      ["bug", "signed_out"].includes(problem.kind) ||
      problem.code === "csrf_failed"
    ) {
      this.change({ trouble: problem });
      this.retryTimer = setTimeout(() => void this.retry(), RETRY_MS);
      return false;
    }
    this.outbox.remove(entry.key);
    this.handedIn.delete(versionKey(entry.sheet));
    if (problem.kind === "invalid") this.putInFront(entry);
    // Its answers have changed meanwhile: the labels of those that stay are still good.
    else if (problem.code === "sheet_changed") writeDraft(entry.sheet.id, entry.work);
    else removeDraft(entry.sheet.id);
    this.tell(messageOf(problem), "error");
    return true;
  }

  private async retry(): Promise<void> {
    await this.flush();
    if (this.state.trouble === null) await this.refill();
  }

  private putInFront(entry: OutboxEntry): void {
    this.handedIn.delete(versionKey(entry.sheet));
    writeDraft(entry.sheet.id, entry.work);
    const others = this.state.sheets.filter((sheet) => sheet.id !== entry.sheet.id);
    this.change({ sheets: [entry.sheet, ...others], waiting: this.outbox.entries().length });
  }

  /** Adds the sheets that are new here; one that was handed in is done with, whatever the server still thinks. */
  private absorb(work: Reply): void {
    const known = new Set(this.state.sheets.map((sheet) => sheet.id));
    const waiting = new Set(this.outbox.entries().map((entry) => entry.sheet.id));
    const fresh = work.sheets.filter(
      (sheet) => !known.has(sheet.id) && !waiting.has(sheet.id) && !this.handedIn.has(versionKey(sheet)),
    );
    const sheets = [...this.state.sheets, ...fresh];
    const unread = work.guidelines_unread === this.guidelinesRead ? "" : work.guidelines_unread;
    this.change({
      sheets,
      progress: work.progress,
      outlook: nextOutlook(this.state.outlook, work),
      nothingLeft: work.nothing_left,
      guidelinesUnread: unread,
      inPilot: work.in_pilot,
      loading: false,
    });
  }

  private tell(text: string, tone: Notice["tone"]): void {
    this.change({ notice: { text, tone } });
  }

  private change(part: Partial<DeskState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}

export interface SheetOperations {
  readonly next: (ahead: number) => Promise<Reply>;
  readonly submit: (sheetId: string, body: SubmitRequest) => Promise<Reply>;
  readonly skip: (sheetId: string, body: SkipRequest) => Promise<Reply>;
  readonly undo: (ahead: number) => Promise<Reply>;
}

export interface Notice {
  readonly text: string;
  readonly tone: "info" | "error";
}

export interface DeskState {
  readonly sheets: readonly BlindSheet[];
  readonly progress: Progress | null;
  /** Of how many questions, and at which pace, the rater's place and time are told. */
  readonly outlook: Outlook | null;
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

const INITIAL: DeskState = {
  sheets: [],
  progress: null,
  outlook: null,
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
  if (trouble === null) return waiting === 0 ? t("all saved") : t("saving");
  const questions = plural(waiting, "{count} question", "{count} questions");
  if (trouble.kind === "network" && waiting === 0)
    return t("offline: keep working; your work is saved in this browser");
  if (trouble.kind === "network")
    return t("offline: {questions} saved in this browser, to be sent later", { questions });
  if (trouble.kind === "signed_out") return t("signed out: {questions} saved in this browser", { questions });
  return t("not sent yet: {questions} saved in this browser", { questions });
}

/** One giving of a sheet: it may come again with other answers. */
function versionKey({ id, version }: BlindSheet): string {
  return `${id}.${version}`;
}

/** What a rater is to know of what became of a sheet; empty where it was taken in as it was given. */
function outcomeWords({ surplus, came_back: cameBack, unblinded }: Outcome): string {
  if (unblinded) {
    return t(
      "After you received this question, you saw which system gave an answer or how others judged it. Your labels are kept but do not count. Other annotators will judge these answers.",
    );
  }
  const again = t(
    "You received this question again with different answers. Your labels are kept. Answers that you judged in another tab keep their labels from that tab.",
  );
  return [surplus > 0 ? surplusWords(surplus) : "", cameBack ? again : ""].filter(Boolean).join(" ");
}

/** Why some of the labels on a sheet do not count. */
function surplusWords(count: number): string {
  return plural(
    count,
    "Your time for this question ran out, and others have judged {count} of its answers. Your labels are kept, but your label for that answer does not count.",
    "Your time for this question ran out, and others have judged {count} of its answers. Your labels are kept, but your labels for those answers do not count.",
  );
}

const PREFIX = "assay.draft.";
const KEPT_MS = 14 * 24 * 3_600_000;

interface StoredDraft {
  readonly work: SheetWork;
  readonly at: number;
}

function isStoredDraft(value: unknown): value is StoredDraft {
  if (!isRecord(value) || typeof value["at"] !== "number" || !isRecord(value["work"])) return false;
  const work = value["work"];
  return isRecord(work["answers"]) && isRecord(work["checks"]) && typeof work["row"] === "number";
}

export function readDraft(sheetId: string): SheetWork | null {
  return readStored(PREFIX + sheetId, isStoredDraft)?.work ?? null;
}

export function writeDraft(sheetId: string, work: SheetWork, at = Date.now()): void {
  writeStored(PREFIX + sheetId, { work, at });
}

export function removeDraft(sheetId: string): void {
  removeStored(PREFIX + sheetId);
}

/** Forgets drafts of sheets that were given back long ago. */
export function removeOldDrafts(now = Date.now()): void {
  for (const key of storedKeys(PREFIX)) {
    const draft = readStored(key, isStoredDraft);
    if (draft === null || now - draft.at > KEPT_MS) removeStored(key);
  }
}

export interface OutboxEntry {
  /** The submission key: the server takes the same key once. */
  readonly key: string;
  readonly slug: string;
  readonly at: number;
  /** Whether a request was ever sent; then the server may have it although no reply came. */
  readonly attempted: boolean;
  readonly sheet: BlindSheet;
  readonly work: SheetWork;
  readonly act:
    | { readonly kind: "submit"; readonly judgments: Draft; readonly seconds: number }
    | { readonly kind: "skip"; readonly reason: string };
}

function isEntry(value: unknown): value is OutboxEntry {
  if (!isRecord(value) || !isRecord(value["sheet"]) || !isRecord(value["act"])) return false;
  return (
    typeof value["key"] === "string" && typeof value["slug"] === "string" && typeof value["at"] === "number"
  );
}

interface Outbox {
  readonly entries: () => OutboxEntry[];
  readonly put: (entry: OutboxEntry) => boolean;
  readonly remove: (key: string) => void;
}

/** One outbox a person and project; every entry has a key of its own, so that tabs do not overwrite each other. */
export function createOutbox(raterId: string, slug: string): Outbox {
  const prefix = `assay.outbox.${raterId}.${slug}.`;
  // Where storage is full or forbidden, work still waits in this page.
  const inMemory = new Map<string, OutboxEntry>();
  const stored = () =>
    storedKeys(prefix)
      .map((key) => readStored(key, isEntry))
      .filter((entry) => entry !== null);
  return {
    entries: () => [...stored(), ...inMemory.values()].sort((left, right) => left.at - right.at),
    put: (entry) => {
      const kept = writeStored(prefix + entry.key, entry);
      if (!kept) inMemory.set(entry.key, entry);
      return kept;
    },
    remove: (key) => {
      inMemory.delete(key);
      removeStored(prefix + key);
    },
  };
}

/** An outbox that forgets everything with its page. */
export function createMemoryOutbox(): Outbox {
  const held = new Map<string, OutboxEntry>();
  return {
    entries: () => [...held.values()].sort((left, right) => left.at - right.at),
    put: (entry) => held.set(entry.key, entry).has(entry.key),
    remove: (key) => void held.delete(key),
  };
}

/** The sheet in front of the rater and two behind it: with these the next one is always there. */
const SHEETS_HELD = 3;
const MOST_HELD = 24;
/** The last questions of a study are for whoever comes first. */
const SHARE_HELD = 1 / 3;
/** Well inside the lease, after which others may be given what lies here. */
const SECONDS_HELD = 720;
/** So few at a time that the server's locks are short. */
const STEP = 6;
const SLACK = 4;

/** The number wanted, from what is left for this rater and the rater's own pace. */
export function sheetsWanted({ left_questions, median_seconds }: Progress): number {
  const byShare = Math.floor(left_questions * SHARE_HELD);
  const byPace = median_seconds === null ? MOST_HELD : Math.floor(SECONDS_HELD / Math.max(1, median_seconds));
  return Math.max(SHEETS_HELD, Math.min(MOST_HELD, byShare, byPace));
}

/** How many sheets to ask for next, those held included; 0 while enough lie ready. */
export function nextStep(held: number, progress: Progress): number {
  const wanted = sheetsWanted(progress);
  return held > wanted - SLACK ? 0 : Math.min(wanted, held + STEP);
}
