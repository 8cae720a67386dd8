/** How well each rater works: a row each, with the uncertainty that few votes have. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Rater } from "../../api/schema";
import { useProject } from "../../api/project";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { AwaitingState } from "../../domain/first-step";
import { InvitationsAwaited, VotesStep } from "../../domain/votes-awaited";
import { RaterTable } from "./rater-table";
import styles from "./raters.module.css";
import { headline } from "./words";

export function RatersPage() {
  const project = useProject();
  useTitle("Annotators", project.name);
  const query = useQuery(read("/api/projects/{slug}/raters", { slug: project.slug }));
  return (
    <Page>
      <PageHeader title="Annotators" {...(query.data && { lead: leadOf(query.data.raters) })} />
      <QueryView query={query}>
        {({ raters, fewest, signature }) =>
          raters.every((rater) => rater.judged === 0) ? (
            <NobodyJudged hasAnnotators={raters.length > 0} />
          ) : (
            <Raters raters={raters} fewest={fewest} signature={signature} />
          )
        }
      </QueryView>
    </Page>
  );
}

function leadOf(raters: readonly Rater[]): string {
  return raters.some((rater) => rater.judged > 0) ? headline(raters) : "";
}

function NobodyJudged({ hasAnnotators }: { readonly hasAnnotators: boolean }) {
  return (
    <AwaitingState title="No annotator statistics yet" action={<VotesStep as={ProjectButtonLink} />}>
      <p>
        {hasAnnotators
          ? "Annotators have joined, but none has submitted any judgments yet."
          : "Annotator statistics appear after annotators submit judgments. Only leads see this page."}
      </p>
      <InvitationsAwaited />
    </AwaitingState>
  );
}

interface RatersProps {
  readonly raters: readonly Rater[];
  readonly fewest: number;
  readonly signature: string;
}

function Raters({ raters, fewest, signature }: RatersProps) {
  return (
    <>
      <RaterTable raters={raters} signature={signature} />
      <div className={styles["notes"]}>
        <p>
          The column “Agreement” compares an annotator’s votes with the label from other annotators: a lead’s
          or adjudicator’s decision, or else their majority vote. Bars are 95% intervals. With fewer than{" "}
          {fewest} cases, only counts are shown.
        </p>
        <p>
          “Estimated accuracy” comes from Dawid and Skene’s model of all annotators’ votes. It needs no known
          labels and does not use automatic judges. Annotators never see this page.
        </p>
      </div>
    </>
  );
}
