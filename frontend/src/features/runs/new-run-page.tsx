/** Chooses a judge, sets it up, and says what the run would take before it is started. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { useProject } from "../../api/project";
import { Page, PageHeader, useTitle } from "../../components/page";
import { ProjectLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { useSearchState } from "../../lib/search-state";
import { JudgeList } from "./judge-list";
import styles from "./new-run.module.css";
import { RunForm } from "./run-form";

export function NewRunPage() {
  const project = useProject();
  useTitle("Start a judge", project.name);
  const search = useSearchState();
  const query = useQuery(read("/api/judges"));
  return (
    <Page>
      <PageHeader
        title="Start a judge"
        lead="It compares answers with the gold answers in its own way. Started again with the same options, it goes on with what is new."
        actions={<ProjectLink page="runs">Back to the runs</ProjectLink>}
      />
      <QueryView query={query}>
        {(judges) => {
          const judge = judges.find(({ key }) => key === search.read("judge")) ?? judges[0];
          if (!judge) return <p>No judge is installed.</p>;
          return (
            <div className={styles["panes"]}>
              <JudgeList
                judges={judges}
                chosen={judge.key}
                onChoose={(key) => search.write({ judge: key })}
              />
              <RunForm key={judge.key} slug={project.slug} judge={judge} />
            </div>
          );
        }}
      </QueryView>
    </Page>
  );
}
