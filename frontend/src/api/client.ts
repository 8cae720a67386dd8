/** The one door to the server: typed paths in, data or an ApiError out. */
import createClient, { type Middleware } from "openapi-fetch";
import { currentLanguage } from "../lib/i18n/catalog";
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

/** The data of a reply; errors were thrown on the way. */
export async function unwrap<Data>(reply: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await reply;
  return data as Data;
}
