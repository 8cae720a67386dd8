/** Ends the pilot; its questions are judged as work, or left out of the study. */
import { api, unwrap } from "../client";
import type { PilotEnd, Pilots } from "../contract";

export async function endPilot(slug: string, body: PilotEnd): Promise<Pilots> {
  return unwrap(api.POST("/api/projects/{slug}/work/pilots/end", { params: { path: { slug } }, body }));
}
