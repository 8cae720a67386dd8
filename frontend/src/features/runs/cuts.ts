/** What a study is cut by where judges stand beside people. */
export const CUTS = [
  { value: "system", name: "System" },
  { value: "answer_length", name: "Length of the answer" },
  { value: "question_type", name: "Type of question" },
  { value: "dataset", name: "Data set" },
  { value: "tag", name: "Tag of the question" },
] as const;

export type PartBy = (typeof CUTS)[number]["value"];
