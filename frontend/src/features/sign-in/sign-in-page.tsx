/** Stands in until the page is built. */
import { PageHeader } from "../../components/page-header";
import { Page } from "../../components/page";

export function SignInPage() {
  return (
    <Page>
      <PageHeader title="Sign in" />
    </Page>
  );
}
