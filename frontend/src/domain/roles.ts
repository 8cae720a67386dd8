/** What the roles are called. */

export const ROLE_WORDS = {
  lead: "Lead",
  adjudicator: "Adjudicator",
  annotator: "Annotator",
  viewer: "Viewer",
} as const;
