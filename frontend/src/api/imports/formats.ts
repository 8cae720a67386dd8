/** The file formats an import may have. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

export function importFormatsQuery(slug: string) {
  return queryOptions({
    queryKey: ["project", slug, "import-formats"],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/import-formats", { params: { path: { slug } } })),
    staleTime: Infinity,
  });
}
