/** Stands in until the page is built. */
import { PageHeader } from "../../components/page-header";
import { Page } from "../../components/page";

export function QueuePage() {
  return (
    <Page>
      <PageHeader title="Adjudication" />
    </Page>
  );
}
