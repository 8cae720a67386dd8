/** What the reader does is done once: an action keeps its key until the page knows what came of it. */
import { ApiError } from "./error";

interface Action {
  readonly key: string;
  readonly began: number;
  reply?: Promise<unknown>;
}

/** So long after its beginning the same is meant anew, whatever came of it. */
const MEANT_MS = 10 * 60_000;
const actions = new Map<string, Action>();

/** A key nobody else has; `randomUUID` exists only on secure origins, and laboratories use plain ones. */
export function newKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function isUnknown(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  const isAway = error.kind === "network" || [502, 503, 504].includes(error.status);
  return isAway || error.code === "idempotency_key_running";
}

function begin(name: string): Action {
  for (const [each, { began }] of actions) if (Date.now() - began > MEANT_MS) actions.delete(each);
  const known = actions.get(name);
  if (known) return known;
  const action: Action = { key: newKey(), began: Date.now() };
  actions.set(name, action);
  return action;
}

/**
 * Sends a write with the key of its action. The same while it is on its way is the same action (a double
 * click), and so it is after an error that does not tell whether it was carried out. A reply or a refusal
 * ends the action. `name`: all that makes two writes the same.
 */
export function once<Reply>(name: string, write: (key: string) => Promise<Reply>): Promise<Reply> {
  const action = begin(name);
  action.reply ??= carryOut(name, action, write);
  return action.reply as Promise<Reply>;
}

async function carryOut<Reply>(name: string, action: Action, write: (key: string) => Promise<Reply>) {
  try {
    const reply = await write(action.key);
    end(name, action);
    return reply;
  } catch (error) {
    if (isUnknown(error)) delete action.reply;
    else end(name, action);
    throw error;
  }
}

function end(name: string, action: Action): void {
  if (actions.get(name) === action) actions.delete(name);
}

/** What makes two files the same for the reader. */
export function describeFile(file: File): readonly unknown[] {
  return [file.name, file.size, file.lastModified];
}
