/** The rater's desk: the sheets at hand, the work on its way to the server, and what became of it. */
import type { FlagKind, Progress, Sheet, Submission, Skip, Work } from "../../api/contract";
import { ApiError, isPassing, messageOf } from "../../api/error";
import { countOf } from "../../lib/numbers";
import { removeDraft, writeDraft } from "./drafts";
import type { Outbox, OutboxEntry } from "./outbox";

/** The sheet in front of the rater and two behind it. */
export const SHEETS_HELD = 3;
const RETRY_MS = 8_000;

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
}

const INITIAL: DeskState = {
  sheets: [],
  progress: null,
  nothingLeft: false,
  loading: true,
  loadError: null,
  waiting: 0,
  trouble: null,
  notice: null,
  undoing: false,
};

export class Desk {
  private state = INITIAL;
  private readonly listeners = new Set<() => void>();
  private flushing: Promise<void> | null = null;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly operations: SheetOperations,
    private readonly outbox: Outbox,
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

  /** Takes the sheet off the desk at once; the server is told behind the scenes. */
  hand(entry: OutboxEntry): void {
    if (!this.outbox.put(entry)) {
      this.tell("This browser keeps nothing: stay on this page until everything is saved.", "error");
    }
    const sheets = this.state.sheets.filter((sheet) => sheet.id !== entry.sheet.id);
    this.change({ sheets, waiting: this.outbox.entries().length });
    void this.flush();
  }

  /** Sends waiting work in order; stops at the first trouble that may pass. */
  flush(): Promise<void> {
    clearTimeout(this.retryTimer);
    this.flushing ??= this.sendAll().finally(() => {
      this.flushing = null;
      this.change({ waiting: this.outbox.entries().length });
      if (this.state.trouble === null && this.outbox.entries().length > 0) void this.flush();
    });
    return this.flushing;
  }

  /** Asks for sheets where fewer are at hand than wanted. */
  async refill(): Promise<void> {
    if (this.state.sheets.length >= SHEETS_HELD) return;
    this.change({ loading: true });
    try {
      this.absorb(await this.operations.next(SHEETS_HELD));
      this.change({ loading: false, loadError: null });
      this.askAgainWhereUnsure();
    } catch (error) {
      this.change({ loading: false, loadError: error });
    }
  }

  /** Another tab may have taken what was handed out; there is more all the same. */
  private askAgainWhereUnsure(): void {
    if (this.state.sheets.length > 0 || this.state.nothingLeft || this.state.waiting > 0) return;
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => void this.refill(), RETRY_MS / 4);
  }

  /** After an absence: prefetched sheets whose lease ended are asked for again. */
  async returnToWork(now: Date): Promise<void> {
    const [current, ...ahead] = this.state.sheets;
    const held = ahead.filter((sheet) => new Date(sheet.lease_expires_at) > now);
    this.change({ sheets: current ? [current, ...held] : [] });
    await this.flush();
    await this.refill();
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
  markFlagged(sheetId: string, kind: FlagKind): void {
    const mark = (sheet: Sheet) =>
      sheet.id === sheetId
        ? { ...sheet, question: { ...sheet.question, flags: [...sheet.question.flags, kind] } }
        : sheet;
    this.change({ sheets: this.state.sheets.map(mark) });
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
    this.tell("Taken back.", "info");
    return true;
  }

  private async takeBackSent(): Promise<void> {
    await this.flush();
    if (this.outbox.entries().length > 0) {
      this.tell("The last sheet is on its way; it can be taken back when the connection returns.", "error");
      return;
    }
    try {
      const work = await this.operations.undo(SHEETS_HELD);
      const first = work.sheets[0];
      if (first) removeDraft(first.id);
      this.change({ sheets: [] });
      this.absorb(work);
      this.tell("Taken back: change what you want and confirm it again.", "info");
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
    if (work.outcome && work.outcome.surplus > 0) this.tell(work.outcome.message, "info");
  }

  private request(entry: OutboxEntry): Promise<Work> {
    const common = { submission_key: entry.key, ahead: SHEETS_HELD };
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
    if (problem.kind === "invalid") this.putInFront(entry);
    // Its answers have changed meanwhile: the labels of those that stay are still good.
    else if (problem.code === "sheet_changed") writeDraft(entry.sheet.id, entry.work);
    else removeDraft(entry.sheet.id);
    this.tell(problem.message, "error");
    return true;
  }

  private async retry(): Promise<void> {
    await this.flush();
    if (this.state.trouble === null) await this.refill();
  }

  private putInFront(entry: OutboxEntry): void {
    writeDraft(entry.sheet.id, entry.work);
    const others = this.state.sheets.filter((sheet) => sheet.id !== entry.sheet.id);
    this.change({ sheets: [entry.sheet, ...others], waiting: this.outbox.entries().length });
  }

  /** Adds the sheets that are new here; one that waits to be sent is done with, whatever the server still thinks. */
  private absorb(work: Work): void {
    const known = new Set(this.state.sheets.map((sheet) => sheet.id));
    const waiting = new Set(this.outbox.entries().map((entry) => entry.sheet.id));
    const fresh = work.sheets.filter((sheet) => !known.has(sheet.id) && !waiting.has(sheet.id));
    const sheets = [...this.state.sheets, ...fresh];
    this.change({ sheets, progress: work.progress, nothingLeft: work.nothing_left, loading: false });
  }

  private tell(text: string, tone: Notice["tone"]): void {
    this.change({ notice: { text, tone } });
  }

  private change(part: Partial<DeskState>): void {
    this.state = { ...this.state, ...part };
    for (const listener of this.listeners) listener();
  }
}

/** The desk's one line on where the work is. */
export function savedWords({ waiting, trouble }: DeskState): string {
  if (trouble === null) return waiting === 0 ? "saved" : "saving";
  const sheets = countOf(waiting, "sheet");
  if (trouble.kind === "network") return `no connection: ${sheets} kept here, sent later`;
  if (trouble.kind === "signed_out") return `signed out: ${sheets} kept here`;
  return `not saved yet: ${sheets} kept here`;
}
