/** How far the raters agree in each pilot, and where they differ; for leads. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function pilotAgreementQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "pilot-agreement"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/agreement/pilots", { params: { path: { slug } } })),
  });
}
