/** Who is signed in. */
import { queryOptions } from "@tanstack/react-query";
import { api, rememberCsrfToken, unwrap } from "../client";
import type { Session } from "../contract";

export async function getSession(): Promise<Session> {
  const session = await unwrap(api.GET("/api/session"));
  rememberCsrfToken(session.csrf_token);
  return session;
}

export const sessionQuery = queryOptions({ queryKey: ["session"], queryFn: getSession, staleTime: 60_000 });
