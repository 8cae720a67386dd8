/** Who is signed in. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, rememberCsrfToken, unwrap } from "../client";
import type { Session } from "../contract";

export async function getSession(): Promise<Session> {
  const session = await unwrap(api.GET("/api/session"));
  rememberCsrfToken(session.csrf_token);
  return session;
}

export const sessionQuery = queryOptions({ queryKey: ["session"], queryFn: getSession, staleTime: 60_000 });

/**
 * What another account has read must not be shown to this one. The session itself stays, and is read anew:
 * the header watches it and would go on watching what was thrown away.
 */
export function forgetAllButSession(queryClient: QueryClient): void {
  const [kept] = sessionQuery.queryKey;
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== kept });
}
