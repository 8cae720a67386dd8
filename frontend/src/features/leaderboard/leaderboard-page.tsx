/** Stands in until the page is built. */
import { PageHeader } from "../../components/page-header";
import { Page } from "../../components/page";

export function LeaderboardPage() {
  return (
    <Page>
      <PageHeader title="Leaderboard" />
    </Page>
  );
}
