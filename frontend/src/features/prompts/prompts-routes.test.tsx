import { screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";
import type { Prompt } from "../../api/schema";
import { startFakeServer } from "../../test/fake-server";
import { BASE } from "../../test/lead-cast";
import { openApp } from "../../test/open-app";

const PROMPT: Prompt = {
  id: null,
  reference: "evouna-original",
  key: "evouna-original",
  version: 1,
  name: "EVOUNA, original",
  system: "",
  template: "{data}",
  parser: "strict",
  needs_examples: false,
  reply_tokens: 16,
  hash: "0123456789abcdef01",
  built_in: true,
  paper: "Wang et al. 2023",
  published_scores: [{ system: "FiD", accuracy: 89.6, f1: 91.9 }],
};

describe("published figures of a prompt", () => {
  it("are said to be of the paper’s words, not of these", async () => {
    const own = { ...PROMPT, id: "p1", reference: "p1", name: "Our own", published_scores: [] };
    startFakeServer({ ...BASE, "GET /api/projects/nq/prompts": [PROMPT, own] });
    openApp("/nq/runs/prompts");
    expect(
      await screen.findByText(
        /: FiD 89\.6 \/ 91\.9\. The paper that published these scores used its own prompt\. This prompt rephrases that one, so results may differ\.$/,
      ),
    ).toBeVisible();
    expect(screen.getAllByText(/The paper that published these scores used its own prompt/)).toHaveLength(1);
  });
});
