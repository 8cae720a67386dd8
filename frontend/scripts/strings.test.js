import ts from "typescript";
import { expect, it } from "vitest";
import { textsIn } from "./strings.js";

const PAGE = `
  import { t } from "./i18n/t";
  const STATES = { queued: { words: "waiting", tone: "Neutral tone" } };
  const words = count === 1 ? \`\${formatCount(run.done)} of \${all.length} judged\` : t("Leave {project}?", { project });
  if (state === "Not For People") read("/api/projects/{slug}/runs", { slug });
  export const Page = () => (
    <section className="Wide Page">
      <p>
        Read <Link to="/Help Page" title="All of it">the help</Link>, {isDone ? "then export" : "then judge"}{" "}
        {countOf(left, "answer")}.
      </p>
      <Table label="systems" kind="systems" />
    </section>
  );
`;

it("lists what people read, a sentence at a time, and no codes", () => {
  const source = ts.createSourceFile("page.tsx", PAGE, ts.ScriptTarget.Latest, true);
  expect(textsIn(source)).toEqual([
    { line: 3, text: "waiting" },
    { line: 4, text: "{done} of {all} judged" },
    { line: 4, text: "Leave {project}?" },
    { line: 8, text: "Read the help, [then export|then judge] {left} answers." },
    { line: 9, text: "All of it" },
    { line: 12, text: "systems" },
  ]);
});
