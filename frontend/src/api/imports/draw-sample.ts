/** Chooses the questions that people judge. */
import { api, unwrap } from "../client";
import type { Sample } from "../contract";

export interface SampleRequest {
  readonly method: "all" | "seed" | "filter" | "questions";
  readonly size?: number;
  readonly seed?: number;
  readonly dataset?: string;
  readonly tag?: string;
  readonly questions?: readonly string[];
}

export async function drawSample(slug: string, body: SampleRequest): Promise<Sample> {
  return unwrap(api.POST("/api/projects/{slug}/sample", { params: { path: { slug } }, body: { ...body } }));
}
