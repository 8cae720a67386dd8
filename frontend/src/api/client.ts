/** The one door to the server: typed paths in, data or an ApiError out. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import createClient, { type Middleware } from "openapi-fetch";
import type {
  HttpMethod,
  OperationRequestBodyContent,
  PathsWithMethod,
  SuccessResponseJSON,
} from "openapi-typescript-helpers";
import { currentLanguage } from "../lib/i18n/catalog";
import { once } from "./actions";
import type { paths } from "./schema";
import { errorFromReply, networkError } from "./error";

let csrfToken: string | null = null;

/** The session's reply carries the token that every write must show. */
export function rememberCsrfToken(token: string): void {
  csrfToken = token;
}

function currentCsrfToken(): string | null {
  // The cookie is newer than what this page remembers when another tab signed in.
  return /(?:^|;\s*)csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? csrfToken;
}

async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.clone().json();
  } catch {
    return null;
  }
}

const translate: Middleware = {
  onRequest({ request }) {
    const token = currentCsrfToken();
    if (request.method !== "GET" && token !== null) request.headers.set("X-CSRFToken", token);
    request.headers.set("Accept", "application/json");
    // What the server words itself, as the rules for passwords, comes in the language of the page.
    request.headers.set("Accept-Language", currentLanguage());
    return request;
  },
  async onResponse({ response }) {
    if (!response.ok) throw errorFromReply(response.status, await bodyOf(response));
    return response;
  },
  onError() {
    return networkError();
  },
};

export const api = createClient<paths>({
  baseUrl: window.location.origin,
  credentials: "same-origin",
  // Looked up at each call, so that tests may replace it.
  fetch: (request: Request) => globalThis.fetch(request),
});
api.use(translate);

type Method = Extract<HttpMethod, "get" | "post" | "put" | "patch" | "delete">;
type Address<M extends Method> = PathsWithMethod<paths, M>;
type Operation<M extends Method, A extends Address<M>> =
  paths[A] extends Record<M, infer Found> ? Found : never;
type Reply<M extends Method, A extends Address<M>> =
  Operation<M, A> extends { responses: infer Responses }
    ? SuccessResponseJSON<{ responses: Responses }>
    : never;
/** The names in an address: `{slug}` and its like. */
type Names<A extends string> = A extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
type Place<A extends string> = Readonly<Record<Names<A>, string>>;
/** What a read can be asked with. */
export type Query<A extends Address<"get">> =
  Operation<"get", A> extends { parameters: { query?: infer Found } } ? NonNullable<Found> : never;
type Body<M extends Method, A extends Address<M>> = OperationRequestBodyContent<Operation<M, A>>;
type IsOptional<T> = [T] extends [never]
  ? true
  : Record<never, never> extends T
    ? true
    : undefined extends T
      ? true
      : false;
/** A body with the fields that are read and no other, at any depth: the server refuses those it does not know. */
type Exact<Found, Wanted> = Wanted extends readonly (infer WantedPart)[]
  ? Found extends readonly (infer Part)[]
    ? readonly Exact<Part, WantedPart>[]
    : Wanted
  : Wanted extends object
    ? { [Name in keyof Found]: Name extends keyof Wanted ? Exact<Found[Name], Wanted[Name]> : never }
    : Wanted;
/** The place and what goes with it; only what may be empty can be left out. */
type Given<A extends string, Rest> =
  IsOptional<Rest> extends true
    ? IsOptional<Place<A>> extends true
      ? [place?: Place<A>, rest?: Rest]
      : [place: Place<A>, rest?: Rest]
    : [place: Place<A>, rest: Rest];

async function send(method: Method, address: string, init: object): Promise<unknown> {
  // The address decides what goes with it; whoever calls is checked, and here it is only passed on.
  const { data } = await api.request(method, address as never, init as never);
  return data;
}

/** The key under which a read is kept, and all reads below it: its address, with names in their places. */
export function keyOf<A extends keyof paths>(
  address: A,
  ...[place]: IsOptional<Place<A>> extends true ? [place?: Place<A>] : [place: Place<A>]
): unknown[] {
  const names: Readonly<Record<string, string>> = place ?? {};
  const parts = address.split("/").slice(2);
  return parts.map((part) => (part.startsWith("{") ? names[part.slice(1, -1)] : part));
}

export function get<A extends Address<"get">>(address: A, ...[place, query]: Given<A, Query<A>>) {
  return send("get", address, { params: { path: place, query } }) as Promise<Reply<"get", A>>;
}

/** A read: what to ask for, kept under its address and query. */
export function read<A extends Address<"get">>(address: A, ...given: Given<A, Query<A>>) {
  const [place, query] = given;
  return queryOptions({
    // The query stands last in every key, if only empty, so that no read is kept under the head of another.
    queryKey: [...keyOf(address, place as Place<A>), query ?? {}],
    queryFn: () => get(address, ...given),
  });
}

/** The same, with what was read before in sight while the next is on its way. */
export function kept<Read extends object>(asked: Read) {
  return { ...asked, placeholderData: keepPreviousData };
}

/** A read whose question is too long for an address, kept under both. */
export function ask<A extends Address<"post">, B extends Body<"post", A>>(
  address: A,
  ...[place, body]: Given<A, B & Exact<B, Body<"post", A>>>
) {
  const init = { params: { path: place }, body };
  return queryOptions({
    queryKey: [...keyOf(address, place as Place<A>), body],
    queryFn: () => send("post", address, init) as Promise<Reply<"post", A>>,
  });
}

interface OnePage {
  readonly next: string | null;
}

/** So many rows at once are read for a file, as many as the server gives. */
const MOST_ROWS = 1_000;

/** The rows of all pages of a list, read one after the other, each by the cursor that the one before gave. */
export async function readPages<Page extends OnePage, Row>(
  readPage: (asked: { limit: number; cursor?: string }) => Promise<Page>,
  rowsOf: (page: Page) => readonly Row[],
): Promise<Row[]> {
  let page = await readPage({ limit: MOST_ROWS });
  const rows = [...rowsOf(page)];
  while (page.next !== null) {
    page = await readPage({ limit: MOST_ROWS, cursor: page.next });
    rows.push(...rowsOf(page));
  }
  return rows;
}

function writer<M extends Method>(method: M) {
  return <A extends Address<M>, B extends Body<M, A>>(
    address: A,
    ...[place, body]: Given<A, B & Exact<B, Body<M, A>>>
  ) => send(method, address, { params: { path: place }, body }) as Promise<Reply<M, A>>;
}

/** The header of a write that is carried out once; the server passes over it where there is no need of it. */
export function keyed(key: string) {
  return { "Idempotency-Key": key };
}

/** A write that may create something: what is sent twice by one action is carried out once. */
export function post<A extends Address<"post">>(address: A, ...[place, body]: Given<A, Body<"post", A>>) {
  return once(JSON.stringify([address, place, body]), (key) =>
    send("post", address, { params: { path: place }, body, headers: keyed(key) }),
  ) as Promise<Reply<"post", A>>;
}

export const put = writer("put");
export const patch = writer("patch");
export const del = writer("delete");
