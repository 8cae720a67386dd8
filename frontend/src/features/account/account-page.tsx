/** One's own account: name, password, projects to leave, and the end of it. */
import { useQuery } from "@tanstack/react-query";
import { sessionQuery } from "../../api/accounts/session";
import { projectsQuery } from "../../api/projects/projects";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { QueryView } from "../../components/query-view";
import { useTitle } from "../../lib/title";
import { ClosingSection } from "./closing-section";
import { MembershipList } from "./membership-list";
import { NameForm } from "./name-form";
import { PasswordForm } from "./password-form";

export function AccountPage() {
  useTitle("Your account");
  const session = useQuery(sessionQuery);
  const projects = useQuery(projectsQuery);
  return (
    <Page width="reading">
      <QueryView query={session}>
        {({ user }) =>
          user && (
            <>
              <PageHeader title="Your account" lead={`You sign in as ${user.username}.`} />
              <Section title="Name">
                <NameForm user={user} />
              </Section>
            </>
          )
        }
      </QueryView>
      <Section title="Password">
        <PasswordForm />
      </Section>
      <Section title="Projects">
        <QueryView query={projects}>{(list) => <MembershipList projects={list} />}</QueryView>
      </Section>
      <Section title="Close the account">
        <ClosingSection />
      </Section>
    </Page>
  );
}
