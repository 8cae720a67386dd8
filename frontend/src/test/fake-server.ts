/** A server for tests: replies by method and path, and remembers what it was asked. */
import { afterEach, expect, vi } from "vitest";
import { unknownFields } from "./closed-bodies";

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly body: unknown;
}

/** What was sent in the test that runs, and is refused by the server. */
const unknown: string[] = [];

afterEach(() => expect(unknown.splice(0)).toEqual([]));

type Reply = unknown | ((call: Call) => unknown);

/** Thrown or returned by a reply to answer with an error in the server's one shape. */
export class FakeError {
  constructor(
    readonly status: number,
    readonly kind: string,
    readonly message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
    readonly code = "refused",
  ) {}
}

function respond(reply: unknown): Response {
  if (reply instanceof FakeError) {
    const error = { kind: reply.kind, code: reply.code, message: reply.message, details: reply.details };
    return Response.json({ error }, { status: reply.status });
  }
  return Response.json(reply);
}

/** Where a page stands that is the whole list, of so many rows. */
export function onePage(count: number) {
  return { count, before: 0, previous: null, next: null };
}

/** Replies are keyed "GET /api/session"; a path that is missing answers 404. */
export function startFakeServer(replies: Readonly<Record<string, Reply>>): Call[] {
  const calls: Call[] = [];
  const answer = async (request: Request) => {
    const text = await request.text();
    const isJson = request.headers.get("Content-Type")?.includes("json");
    // A form with files is no JSON.
    const body: unknown = text === "" ? null : isJson ? JSON.parse(text) : text;
    const call = {
      method: request.method,
      path: new URL(request.url).pathname,
      query: decodeURIComponent(new URL(request.url).search),
      body,
    };
    calls.push(call);
    unknown.push(...unknownFields(call.method, call.path, call.body));
    const reply =
      replies[`${call.method} ${call.path}`] ?? new FakeError(404, "not_found", "Nothing is here.");
    return respond(await (typeof reply === "function" ? (reply as (call: Call) => unknown)(call) : reply));
  };
  vi.stubGlobal("fetch", vi.fn(answer));
  return calls;
}

/** What was sent by a method, in order; null where a call had no body. */
export function bodiesOf(calls: readonly Call[], method: string): readonly unknown[] {
  return calls.filter((call) => call.method === method).map(({ body }) => body);
}
