/** The guidelines as they concern this rater: known, new, or changed and in which lines. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

/** `unread` names the guidelines that a reply asked to be read: others are fetched anew. */
export function guidelinesQuery(slug: string, unread: string) {
  return queryOptions({
    queryKey: ["guidelines", slug, unread],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/guidelines", { params: { path: { slug } } })),
    gcTime: 0,
  });
}
