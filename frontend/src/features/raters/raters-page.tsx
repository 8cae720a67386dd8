/** How well each rater works: a row each, with the uncertainty that few votes have. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Rater } from "../../api/schema";
import { useProject } from "../../api/project";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { EmptyState, QueryView } from "../../components/query-view";
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
            <NobodyJudged invited={raters.length > 0} />
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

function NobodyJudged({ invited }: { readonly invited: boolean }) {
  return (
    <EmptyState
      title="No annotator statistics yet"
      action={
        <ProjectButtonLink page="people">{invited ? "View people" : "Invite annotators"}</ProjectButtonLink>
      }
    >
      <p>
        {invited
          ? "Annotators have joined, but nobody has submitted a sheet yet."
          : "Annotator statistics appear after annotators submit sheets. Only leads see this page."}
      </p>
    </EmptyState>
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
          “Agreement” compares an annotator’s votes with the label from other annotators: a lead’s decision,
          or else their majority vote. Bars are 95% intervals. With fewer than {fewest} cases, only counts are
          shown.
        </p>
        <p>
          “Estimated accuracy” comes from Dawid and Skene’s model of all annotators’ votes. It needs no known
          labels and does not use automatic judges. Annotators never see this page.
        </p>
      </div>
    </>
  );
}
