/** Who is signed in. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { get, keyOf, read, rememberCsrfToken } from "./client";
import type { Session } from "./schema";
import { languageFor, speak } from "../lib/i18n/catalog";

/** Keeps what later requests need, and lets the pages speak the account's language before they show it. */
export async function enterSession(session: Session): Promise<Session> {
  rememberCsrfToken(session.csrf_token);
  await speak(languageFor(session.user?.language));
  return session;
}

export async function getSession(): Promise<Session> {
  return enterSession(await get("/api/session"));
}

export const sessionQuery = queryOptions({ ...read("/api/session"), queryFn: getSession, staleTime: 60_000 });

/**
 * What another account has read must not be shown to this one. The session itself stays, and is read anew:
 * the header watches it and would go on watching what was thrown away.
 */
export function forgetAllButSession(queryClient: QueryClient): void {
  const [kept] = keyOf("/api/session");
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== kept });
}
