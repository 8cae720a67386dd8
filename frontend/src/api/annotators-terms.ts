/** What the words mean that annotators meet: made from `docs/glossary.md`. */
export const ANNOTATORS_TERMS = {
  "label": {"about": "Your judgment of an answer, such as correct or incorrect. The project’s protocol defines the labels.", "see": "annotators#judging"},
  "guidelines": {"about": "The leads’ instructions for judging. You read them before your first question and again whenever they change.", "see": "protocols#guidelines"},
  "check": {"about": "A yes-or-no question about the question itself, such as whether its answer changes over time. You answer it once per question.", "see": "protocols#question-checks"},
  "evidence": {"about": "The web address of a page, or a quote from a page, that supports your label.", "see": "annotators#judging"},
  "flag": {"about": "A note that tells the leads about a problem with a question. You still judge the answers.", "see": "annotators#judging"},
  "pilot": {"about": "A trial round in which every annotator judges the same questions. Pilot judgments do not count as votes.", "see": "organizing#pilot"},
  "training": {"about": "Answers that you judge before the work begins. After each question, you see the correct labels. Training judgments do not count as votes.", "see": "organizing#training"},
  "passing-score": {"about": "The share of training answers that you must label correctly before you can start judging.", "see": "organizing#training"},
  "reference-answer": {"about": "A correct answer to the question, taken from the project’s imported files. Some projects show reference answers to annotators.", "see": "annotators#judging"},
} as const;
