/** Changes what this rater says of an answer; what was said before is kept. */
import { api, unwrap } from "../client";
import type { JudgmentEdit, Said } from "../contract";

interface Place {
  readonly sheet: string;
  readonly answer: string;
}

export async function editJudgment(
  slug: string,
  { sheet, answer }: Place,
  body: JudgmentEdit,
): Promise<Said> {
  return unwrap(
    api.POST("/api/projects/{slug}/judged/{sheet_id}/answers/{answer_id}/edit", {
      params: { path: { slug, sheet_id: sheet, answer_id: answer } },
      body,
    }),
  );
}
