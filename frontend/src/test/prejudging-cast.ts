/** The page of pre-judging as a lead opens it. */
import type { Policy } from "../api/schema";
import { startFakeServer } from "./fake-server";
import { BASE } from "./lead-cast";
import { openApp } from "./open-app";

type Routes = Parameters<typeof startFakeServer>[0];

export const LEARNED: Policy["runs"][number] = {
  id: "a",
  judge: "learned",
  name: "Learned judge",
  signature: "judge:learned",
  state: "finished",
  judged: 400,
  sureness: "probability",
};

export const NO_RULES: Policy = {
  rules: [],
  audit_share: 0.05,
  seed: 1,
  saved_by: "",
  saved_at: null,
  conditions: [{ key: "all_agree", name: "all of them agree: their verdict", meaning: "agreed" }],
  runs: [LEARNED],
  applications: [],
};

/** Opens the page, of which `routes` say what is not as in a study where nothing was drawn or settled yet. */
export function openPrejudging(routes: Routes = {}, address = "/nq/prejudging") {
  const calls = startFakeServer({
    ...BASE,
    "GET /api/projects/nq/prejudging": NO_RULES,
    "GET /api/projects/nq/prejudging/audit": { audit_share: 0.05, rules: [], pooled: null, watched: 0 },
    "GET /api/projects/nq/prejudging/calibration": { sample: null, drawable: 8, certificates: [] },
    "GET /api/projects/nq/prejudging/routing": {
      runs: [],
      why_not: "",
      judged: 0,
      rules: [],
      figures: null,
    },
    ...routes,
  });
  openApp(address);
  return calls;
}
