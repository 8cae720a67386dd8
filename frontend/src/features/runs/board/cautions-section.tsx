/** What to know before a judge is believed: how often it changes its mind, and whether it favors its kin. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../../api/client";
import type { KindredJudge, RepeatedJudge } from "../../../api/schema";
import { figureColumn } from "../../../components/figure";
import { Notice } from "../../../components/notice";
import { ProjectLink } from "../../../components/project-link";
import { QueryView } from "../../../components/query-view";
import { type Column, numberColumn, Table } from "../../../components/table";
import { Soft } from "../beside-columns";

export function CautionsSection({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/judge-board/cautions", { slug }));
  return (
    <QueryView query={query}>
      {({ signature, repeats, families }) => (
        <>
          {repeats.length === 0 ? (
            <Soft>
              No judge has run twice with the same options. To see how often a judge changes its verdicts,
              start it again with another seed.
            </Soft>
          ) : (
            <Table
              caption="Verdicts that changed between runs"
              rows={repeats}
              rowKey={({ runs }) => runs.join(" ")}
              columns={REPEATS}
              note="Compares runs of the same judge that differ only in their seed. Only answers to judged questions count, and only if at least two of these runs have a verdict. Thin bars show 95% intervals, computed over questions."
              file={{ name: "judges-asked-again", signature }}
            />
          )}
          {families.length > 0 && (
            <>
              <Notice tone="warning" title="A judge and a system belong to the same model family">
                <p>{warningOf(families)}</p>
              </Notice>
              <Table
                caption="Leniency toward systems of a judge’s own family"
                rows={families}
                rowKey={({ run }) => run}
                columns={FAMILIES}
                note="Leniency is the share of answers that a judge accepts minus the share that people accept, in points. It is based on answers that people have decided and the judge has judged. Assay identifies families by the names of models and by the names and descriptions of systems. Thin bars show 95% intervals, computed over questions."
                file={{ name: "judges-and-their-family", signature }}
              />
            </>
          )}
        </>
      )}
    </QueryView>
  );
}

function warningOf(families: readonly KindredJudge[]): string {
  const favoring = families.filter(({ figures }) => (figures["self_preference"]?.low ?? 0) > 0);
  if (favoring.length === 0)
    return "Models may favor systems of their own family. No judge shows a significant preference here, but that does not rule one out.";
  const names = favoring.map(({ name, family }) => `${name} (${family})`).join(", ");
  const who = favoring.length === 1 ? "This judge is" : "These judges are";
  const whose = favoring.length === 1 ? "its" : "their";
  return `${who} significantly more lenient toward systems of ${whose} own model family than toward other systems, compared with people: ${names}.`;
}

const REPEATS: readonly Column<RepeatedJudge>[] = [
  { key: "name", header: "Judge", value: ({ name }) => name },
  numberColumn("runs", "Runs", ({ runs }) => runs.length),
  numberColumn("answers", "Answers", ({ answers }) => answers),
  numberColumn("flipped", "Changed", ({ flipped }) => flipped),
  figureColumn("flipped_share"),
];

const FAMILIES: readonly Column<KindredJudge>[] = [
  {
    key: "name",
    header: "Judge",
    cell: ({ run, name }) => <ProjectLink page={`runs/${run}`}>{name}</ProjectLink>,
    value: ({ name }) => name,
  },
  { key: "family", header: "Family", value: ({ family }) => family },
  { key: "systems", header: "Systems in family", value: ({ systems }) => systems.join(", ") },
  numberColumn("own_answers", "Answers in family", (row) => row.own_answers),
  figureColumn("own_lenience"),
  figureColumn("other_lenience"),
  figureColumn("self_preference"),
];
