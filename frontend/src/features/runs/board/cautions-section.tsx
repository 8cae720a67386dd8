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
              No judge has run twice with the same options. To see how often one changes its mind, run it
              again with another seed.
            </Soft>
          ) : (
            <Table
              caption="How often a judge that is asked again says something else"
              rows={repeats}
              rowKey={({ runs }) => runs.join(" ")}
              columns={REPEATS}
              note="Runs of one judge whose options are the same but for the seed, on the answers of the judged sample that at least two of them judged. Thin bars are 95 % intervals over questions."
              file={{ name: "judges-asked-again", signature }}
            />
          )}
          {families.length > 0 && (
            <>
              <Notice tone="warning" title="A judge and a system are of one family of models">
                <p>{warningOf(families)}</p>
              </Notice>
              <Table
                caption="Judges beside systems of their own family"
                rows={families}
                rowKey={({ run }) => run}
                columns={FAMILIES}
                note="Leniency: the share of answers a judge accepts minus the share that people accept, in points, on answers that people decided and it judged. Families are read from the names of models and systems, and from what is said of systems. Thin bars are 95 % intervals over questions."
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
    return "Models may prefer answers like their own. No such preference is sure here; that is no proof of its absence.";
  const names = favoring.map(({ name, family }) => `${name} (${family})`).join(", ");
  return `Surely more lenient toward its own family than toward other systems, measured by people: ${names}.`;
}

const REPEATS: readonly Column<RepeatedJudge>[] = [
  { key: "name", header: "Judge", value: ({ name }) => name },
  numberColumn("runs", "Runs", ({ runs }) => runs.length),
  numberColumn("answers", "Answers", ({ answers }) => answers),
  numberColumn("flipped", "Flipped", ({ flipped }) => flipped),
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
  { key: "systems", header: "Systems of it", value: ({ systems }) => systems.join(", ") },
  numberColumn("own_answers", "Answers of its family", (row) => row.own_answers),
  figureColumn("own_lenience"),
  figureColumn("other_lenience"),
  figureColumn("self_preference"),
];
