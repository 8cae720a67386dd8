/** What an invitation link offers. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function invitationQuery(token: string) {
  return queryOptions({
    queryKey: ["invitation", token],
    queryFn: () => unwrap(api.GET("/api/invitations/{token}", { params: { path: { token } } })),
    retry: false,
  });
}
