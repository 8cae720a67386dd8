/** The links that were made, without their secrets. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function invitationsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "invitations"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/invitations", { params: { path: { slug } } })),
  });
}
