/** Whose password a link sets. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function passwordLinkQuery(token: string) {
  return queryOptions({
    queryKey: ["password-link", token],
    queryFn: () => unwrap(api.GET("/api/password-links/{token}", { params: { path: { token } } })),
    retry: false,
  });
}
