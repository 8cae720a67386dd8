/** Lets every rater judge the same questions before anything else, without counting it. */
import { api, unwrap } from "../client";
import type { PilotBegin, Pilots } from "../contract";

export async function beginPilot(slug: string, body: PilotBegin): Promise<Pilots> {
  return unwrap(api.POST("/api/projects/{slug}/work/pilots", { params: { path: { slug } }, body }));
}
