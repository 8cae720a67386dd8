/** The queue: how an address filters it, why answers wait in words, its lines as they stay in place, and which are marked. */
import { useQuery } from "@tanstack/react-query";
import { type FocusEvent, type MouseEvent, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { read, type Query } from "../../api/client";
import type {
  Category as CategorySpec,
  CategoryEnum,
  Dossier,
  QueueItem,
  ReasonEnum,
} from "../../api/schema";
import { countOf, formatCount } from "../../lib/numbers";
import { useSearchState } from "../../lib/search-state";

type QueueFilter = Query<"/api/projects/{slug}/queue">;

type Read = (key: string) => string | undefined;

const FLAGS = ["ambiguous", "time_dependent", "list", "gold_improper", "unclear"] as const;

/** Whether the address says that systems are shown or hidden; without a word the protocol says. */
function showsSystems(read: Read): boolean | undefined {
  const word = read("systems");
  return word === "shown" ? true : word === "hidden" ? false : undefined;
}

function readFilter(read: Read): QueueFilter {
  const reason = waitingReason(read("reason"));
  const flag = FLAGS.find((kind) => kind === read("flag"));
  const pair = read("pair");
  const judge = read("judge");
  const systems = showsSystems(read);
  return {
    ...(reason && { reason }),
    ...(flag && { flag }),
    ...(pair && { pair }),
    ...(judge && { judge }),
    ...(systems !== undefined && { systems }),
  };
}

/** What the lines of a list have in common; showing systems changes no line. */
function filterKey({ reason, flag, pair, judge }: QueueFilter): string {
  return [reason, flag, pair, judge].join(" ");
}

export function filterCount({ reason, flag, pair, judge }: QueueFilter): number {
  return [reason, flag, pair, judge].filter(Boolean).length;
}

export function isFiltered(filter: QueueFilter): boolean {
  return filterCount(filter) > 0;
}

const QUEUE_REASONS = [
  { value: "disputed", name: "Annotators disagree" },
  { value: "cannot_judge", name: "An annotator could not judge the answer" },
  { value: "out_of_raters", name: "No annotator left to ask" },
  { value: "reopened", name: "Answer reopened" },
  { value: "conflict", name: "Decided, but a judge disagrees" },
] as const;

export function reasonWords(reason: string): string {
  return QUEUE_REASONS.find(({ value }) => value === reason)?.name ?? "Waiting for a decision";
}

/** The reason an address names, if there is such a reason. */
function waitingReason(text: string | undefined): ReasonEnum | undefined {
  return QUEUE_REASONS.find(({ value }) => value === text)?.value;
}

export interface Category {
  readonly value: CategoryEnum;
  readonly name: string;
  readonly key: string;
}

/** Why raters came to differ, each under a key of its own; the server says when each fits. */
export const ALL_CATEGORIES: readonly Category[] = [
  { value: "guideline", name: "Unclear guidelines", key: "g" },
  { value: "evidence", name: "Missing knowledge or evidence", key: "e" },
  { value: "granularity", name: "Borderline granularity", key: "n" },
  { value: "ambiguous_question", name: "Ambiguous question", key: "a" },
  { value: "time_dependent", name: "Time-dependent answer", key: "t" },
  { value: "incorrect_gold", name: "Incorrect gold answer", key: "w" },
  { value: "rater_error", name: "Annotator error", key: "p" },
  { value: "other", name: "Other", key: "o" },
];

export function categoriesOf(specs: readonly CategorySpec[]): Category[] {
  return ALL_CATEGORIES.filter(({ value }) => specs.some(({ key }) => key === value));
}

export function categoryWords(value: string): string {
  return ALL_CATEGORIES.find((category) => category.value === value)?.name ?? value;
}

const ROUNDS: Readonly<Record<string, string>> = {
  replacement: "replaced another annotator",
  tie_break: "additional annotator, not told why they were asked",
};

export function roundWords(round: string): string | null {
  return ROUNDS[round] ?? null;
}

export interface Line {
  readonly item: QueueItem;
  /** "sent-back": by this person; "elsewhere": no longer waiting, and not by this person's doing. */
  readonly state: "open" | "decided" | "sent-back" | "elsewhere";
  readonly label: string | null;
}

/** The lines after the server was asked again; `isPart`: it told only the first of what waits. */
export function mergeQueue(lines: readonly Line[], items: readonly QueueItem[], isPart = false): Line[] {
  const waiting = new Map(items.map((item) => [item.id, item]));
  const lastTold = lines.findLastIndex(({ item }) => waiting.has(item.id));
  const kept = lines.map((line, place): Line => {
    const item = waiting.get(line.item.id);
    if (line.state === "decided" || line.state === "sent-back") return line;
    // A line that is as it was stays the same, so that it need not be drawn again.
    if (item)
      return item === line.item && line.state === "open" ? line : { item, state: "open", label: null };
    if (isPart && place > lastTold) return line;
    return { ...line, state: "elsewhere" };
  });
  const known = new Set(lines.map(({ item }) => item.id));
  const added = items.filter(({ id }) => !known.has(id));
  return [...kept, ...added.map((item): Line => ({ item, state: "open", label: null }))];
}

export function markDecided(lines: readonly Line[], id: string, label: string): Line[] {
  return lines.map((line) => (line.item.id === id ? { ...line, state: "decided", label } : line));
}

export function markSentBack(lines: readonly Line[], id: string): Line[] {
  return lines.map((line) => (line.item.id === id ? { ...line, state: "sent-back", label: null } : line));
}

export function markOpen(lines: readonly Line[], id: string): Line[] {
  return lines.map((line) => (line.item.id === id ? { ...line, state: "open", label: null } : line));
}

/** The neighbor of a line, or the line itself at the ends. */
export function neighbor(lines: readonly Line[], id: string | null, step: 1 | -1): string | null {
  const index = lines.findIndex(({ item }) => item.id === id);
  if (index < 0) return lines[0]?.item.id ?? null;
  return lines[Math.min(lines.length - 1, Math.max(0, index + step))]?.item.id ?? null;
}

/** The next open line after this one, going round; null when nothing is open. */
export function nextOpen(lines: readonly Line[], id: string | null): string | null {
  const start = lines.findIndex(({ item }) => item.id === id);
  const rotated = [...lines.slice(start + 1), ...lines.slice(0, start + 1)];
  return rotated.find(({ state, item }) => state === "open" && item.id !== id)?.item.id ?? null;
}

export function openCount(lines: readonly Line[]): number {
  return lines.filter(({ state }) => state === "open").length;
}

const ASK_AGAIN_AFTER = 20_000;

export function useQueue(slug: string) {
  const search = useSearchState();
  const filter = readFilter(search.read);
  const key = filterKey(filter);
  const list = read("/api/projects/{slug}/queue", { slug }, filter);
  const query = useQuery({ ...list, refetchInterval: ASK_AGAIN_AFTER });
  const [kept, setKept] = useState<{ key: string; lines: readonly Line[] }>({ key, lines: [] });
  useEffect(() => {
    if (!query.data) return;
    const { items, total } = query.data;
    setKept((before) => ({
      key,
      lines: mergeQueue(before.key === key ? before.lines : [], items, total > items.length),
    }));
  }, [query.data, key]);
  const lines = useMemo(() => (kept.key === key ? kept.lines : []), [kept, key]);
  const [handled, setHandled] = useState<readonly string[]>([]);
  const [marks, setMarks] = useState<ReadonlySet<string>>(new Set());
  const chosen = search.read("answer");
  // Shown at once: the address follows a moment later.
  const [asked, setAsked] = useState<string | null>(null);
  useEffect(() => setAsked(null), [chosen]);
  // An address may name an answer that is not waiting: it can still be looked at and decided anew.
  const current =
    asked ?? chosen ?? lines.find(({ state }) => state === "open")?.item.id ?? lines[0]?.item.id ?? null;
  const isLeft = useIsLeft();
  // What is in front when a reply arrives, which may be long after what it replies to was sent.
  const latest = useRef({ lines, current });
  useEffect(() => {
    latest.current = { lines, current };
  });
  const { write } = search;
  const select = useCallback(
    (id: string | null) => {
      // The address is another page's by now.
      if (isLeft.current) return;
      setAsked(id);
      write({ answer: id ?? undefined });
    },
    [write, isLeft],
  );
  const mark = useCallback((id: string) => setMarks((before) => toggled(before, id)), []);
  const goOn = (done: readonly string[], marked: (lines: readonly Line[]) => readonly Line[]) => {
    setKept((before) => ({ ...before, lines: marked(before.lines) }));
    setHandled((before) => [...before, ...done]);
    setMarks((before) => new Set([...before].filter((id) => !done.includes(id))));
    const after = marked(latest.current.lines);
    const isAtWork = after.some(({ item, state }) => item.id === latest.current.current && state === "open");
    const next = nextOpen(after, done.at(-1) ?? null);
    if (next !== null && !isAtWork) select(next);
  };
  return {
    query,
    list,
    filter,
    systems: showsSystems(search.read),
    lines,
    current,
    /** What was decided or sent back here and not taken back, the last at the end. */
    handled,
    isChosen: asked !== null || chosen !== undefined,
    select,
    choose: (changes: Readonly<Record<string, string | undefined>>) => {
      setAsked(null);
      search.write({ ...changes, answer: undefined });
    },
    showSystems: (shown: boolean) => search.write({ systems: shown ? "shown" : "hidden" }),
    move: (step: 1 | -1) => select(neighbor(lines, current, step)),
    marks,
    mark,
    unmark: () => setMarks(new Set()),
    decided: (ids: readonly string[], label: string) =>
      goOn(ids, (before) => ids.reduce((sofar, id) => markDecided(sofar, id, label), before)),
    sentBack: (id: string) => goOn([id], (before) => markSentBack(before, id)),
    inFront: () => latest.current.current,
    /** isQuiet: what is in front stays. */
    reopened: (ids: readonly string[], { isQuiet = false } = {}) => {
      setHandled((before) => before.filter((id) => !ids.includes(id)));
      setKept((before) => ({ ...before, lines: ids.reduce(markOpen, before.lines) }));
      if (!isQuiet) select(ids[0] ?? null);
    },
  };
}

/** Whether who waits for a reply has gone to another page meanwhile. */
export function useIsLeft() {
  const isLeft = useRef(false);
  useEffect(() => {
    isLeft.current = false;
    return () => {
      isLeft.current = true;
    };
  }, []);
  return isLeft;
}

export type QueueWork = ReturnType<typeof useQueue>;

/** The server takes no more at once. */
const MOST_MARKED = 200;

function toggled(marks: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(marks);
  if (!next.delete(id) && next.size < MOST_MARKED) next.add(id);
  return next;
}

export function markedLines(lines: readonly Line[], marks: ReadonlySet<string>): Line[] {
  return lines.filter(({ item, state }) => state === "open" && marks.has(item.id));
}

/** What deciding these lines as one label will do, before it is done. */
export function forecast(lines: readonly Line[], label: string, name: string): string[] {
  const unsaid = lines.filter(({ item }) => !item.votes.some((vote) => vote.label === label)).length;
  const others = lines.filter(({ item }) => item.decided !== null && item.decided !== label).length;
  return [
    `The decision for ${countOf(lines.length, "answer")} will be “${name}.” If any of them cannot be decided, none will be. No other annotators will be asked.`,
    ...(unsaid > 0 ? [`No annotator chose this label for ${formatCount(unsaid)} of these answers.`] : []),
    ...(others > 0
      ? [
          `${formatCount(others)} of these answers already ${others === 1 ? "has" : "have"} a different decision.`,
        ]
      : []),
  ];
}

export function seenNumber({ history }: Pick<Dossier, "history">): number {
  return history.reduce((last, { number }) => Math.max(last, number), 0);
}

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

/** All there is to know of one answer, in the queue as it is filtered. */
export function dossierQuery(slug: string, candidate: string, { systems }: Pick<QueueWork, "systems">) {
  return read(
    "/api/projects/{slug}/queue/{candidate}",
    { slug, candidate },
    systems === undefined ? {} : { systems },
  );
}
