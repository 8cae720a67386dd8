/** How well each rater works: a row each, with the uncertainty that few votes have. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import type { Rater } from "../../api/schema";
import { useProject } from "../../api/project";
import { SubNav } from "../../components/sub-nav";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { EmptyState, QueryView } from "../../components/query-view";
import { RaterTable } from "./rater-table";
import styles from "./raters.module.css";
import { headline } from "./words";

export function RatersPage() {
  const project = useProject();
  useTitle("Raters", project.name);
  const query = useQuery(read("/api/projects/{slug}/raters", { slug: project.slug }));
  return (
    <Page>
      <PageHeader title="Raters one by one" {...(query.data && { lead: leadOf(query.data.raters) })} />
      <SubNav current="agreement/raters" />
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
      title="This page will say how well each rater works"
      action={
        <ProjectButtonLink page="people">
          {invited ? "See who takes part" : "Invite annotators"}
        </ProjectButtonLink>
      }
    >
      <p>
        {invited
          ? "Annotators have joined, but nobody has handed in a sheet yet."
          : "It needs people who judge. They see none of it; it is for leads alone."}
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
          “Agrees” compares a rater with what each answer came to without them: a lead’s decision, else what
          most other raters said. Bars are 95 % intervals; with fewer than {fewest} cases there are words
          instead.
        </p>
        <p>
          “Right, estimated” is Dawid and Skene’s model of all people’s votes, for where nobody knows the
          truth. Machine judges are no raters and have no part in it. None of this page is shown to
          annotators.
        </p>
      </div>
    </>
  );
}
