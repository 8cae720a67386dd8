/** One import; asked again while the server is at work on it. */
import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "../client";

const AT_WORK: readonly string[] = ["checking", "applying", "undoing"];
const ASK_AGAIN_AFTER = 700;

export function importQuery(slug: string, id: string) {
  return queryOptions({
    queryKey: ["project", slug, "import", id],
    queryFn: () => unwrap(api.GET("/api/projects/{slug}/imports/{id}", { params: { path: { slug, id } } })),
    refetchInterval: ({ state }) => (AT_WORK.includes(state.data?.state ?? "") ? ASK_AGAIN_AFTER : false),
  });
}
