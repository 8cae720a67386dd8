/** The questions that so many systems have right. */
import { queryOptions } from "@tanstack/react-query";
import type { QuestionFilter } from "../../lib/question-filter";
import { api, unwrap } from "../client";

export function questionsRightByQuery(slug: string, filter: QuestionFilter, rightBy: number, page: number) {
  return queryOptions({
    queryKey: ["project", slug, "systems-board", "questions", filter, rightBy, page],
    queryFn: () =>
      unwrap(
        api.GET("/api/projects/{slug}/systems-board/questions", {
          params: { path: { slug }, query: { ...filter, right_by: rightBy, page } },
        }),
      ),
  });
}
