/** Says that an import is stored, and what comes next. */
import type { Import } from "../../api/contract";
import { Notice } from "../../components/notice";
import { ProjectButtonLink } from "../../components/project-link";

export function StoredNotice({ found }: { readonly found: Import }) {
  return (
    <Notice
      tone="success"
      title="Imported"
      actions={
        <>
          <ProjectButtonLink page="people" size="small">
            Invite annotators
          </ProjectButtonLink>
          <ProjectButtonLink page="runs" size="small">
            Start a judge
          </ProjectButtonLink>
          <ProjectButtonLink page="leaderboard" size="small">
            Leaderboard
          </ProjectButtonLink>
        </>
      }
    >
      {found.message && <p>{found.message}</p>}
    </Notice>
  );
}
