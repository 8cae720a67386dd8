/** What the lead does next: what waits for them, or what follows once nothing does. */
import { Link } from "@tanstack/react-router";
import type { Overview } from "../../api/schema";
import { useProject } from "../../api/project";
import { Section } from "../../components/page";
import { ProjectButtonLink } from "../../components/project-link";
import { formatCount } from "../../lib/numbers";
import styles from "./overview.module.css";

interface NextSectionProps {
  readonly title?: string;
  readonly needs: Overview["needs"];
  /** Whether raters have nothing left to judge either. */
  readonly isDone: boolean;
  /** Whether only votes were imported, so that there is nothing to score yet. */
  readonly lacksSystems?: boolean;
}

export function NextSection({
  title = "What to do next",
  needs,
  isDone,
  lacksSystems = false,
}: NextSectionProps) {
  const { slug } = useProject();
  const waiting = needs.filter(({ count }) => count > 0);
  return (
    <Section title={title}>
      {waiting.length === 0 ? (
        <NothingWaits isDone={isDone} lacksSystems={lacksSystems} />
      ) : (
        <ul className="ruled">
          {waiting.map((need) => (
            <li key={need.key}>
              <Link to={addressOf(slug, need.href) as "/"} className={styles["need"]}>
                <span className={styles["count"]}>{formatCount(need.count)}</span>
                <span>{need.text}</span>
                <span className={styles["act"]}>{ACTS[need.key] ?? "Open"}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

/** What is done about each need. */
const ACTS: Readonly<Record<string, string>> = {
  queue: "Decide",
  flags: "View questions",
  failed_batches: "View runs",
  failed_imports: "View imports",
  nobody: "Invite annotators",
  invited: "Manage invitations",
  unread: "View readers",
  shortage: "View work plan",
  calibrated: "Continue pre-judging",
};

function NothingWaits({ isDone, lacksSystems }: Pick<NextSectionProps, "isDone" | "lacksSystems">) {
  if (!isDone) return <p className="ink-soft">Nothing needs your attention. Annotators can continue.</p>;
  if (lacksSystems) {
    return (
      <>
        <p>
          Every answer is decided, but no system has answers yet. Import the systems’ answers to see their
          scores.
        </p>
        <div className="row">
          <ProjectButtonLink page="import" variant="primary">
            Import system answers
          </ProjectButtonLink>
        </div>
      </>
    );
  }
  return (
    <>
      <p>Every answer is decided. Read the results, then export them.</p>
      <div className="row">
        <ProjectButtonLink page="leaderboard" variant="primary">
          View leaderboard
        </ProjectButtonLink>
        <ProjectButtonLink page="export">Export</ProjectButtonLink>
      </div>
    </>
  );
}

/** The server names addresses of the pages with or without the project in front. */
function addressOf(slug: string, href: string): string {
  if (href.startsWith(`/${slug}/`)) return href;
  return `/${slug}/${href.replace(/^\//, "")}`;
}
