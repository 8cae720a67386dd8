/** Chooses the questions that people judge. */
import { api, unwrap } from "../client";
import type { Sample, SampleRequest } from "../contract";

export async function drawSample(slug: string, body: SampleRequest): Promise<Sample> {
  return unwrap(api.POST("/api/projects/{slug}/sample", { params: { path: { slug } }, body }));
}
