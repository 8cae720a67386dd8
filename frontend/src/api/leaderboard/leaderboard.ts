/** Systems by ways of judging. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function leaderboardQuery(slug: string, scope: "sample" | "entire") {
  return queryOptions({
    queryKey: ["project", slug, "leaderboard", scope],
    queryFn: () =>
      unwrap(api.GET("/api/projects/{slug}/leaderboard", { params: { path: { slug }, query: { scope } } })),
  });
}
