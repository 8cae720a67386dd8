/** One's own account: name, language, password, projects to leave, and the end of it. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { sessionQuery } from "../../api/session";
import { Page, Section } from "../../components/page";
import { PageHeader } from "../../components/page-header";
import { QueryView } from "../../components/query-view";
import { t } from "../../lib/i18n/t";
import { useTitle } from "../../lib/title";
import { ClosingSection } from "./closing-section";
import { LanguageForm } from "./language-form";
import { MembershipList } from "./membership-list";
import { NameForm } from "./name-form";
import { PasswordForm } from "./password-form";

export function AccountPage() {
  useTitle(t("Your account"));
  const session = useQuery(sessionQuery);
  const projects = useQuery(read("/api/projects"));
  return (
    <Page width="reading">
      <QueryView query={session}>
        {({ user }) =>
          user && (
            <>
              <PageHeader
                title={t("Your account")}
                lead={t("You sign in as {username}.", { username: user.username })}
              />
              <Section title={t("Name")}>
                <NameForm user={user} />
              </Section>
              <Section title={t("Language")}>
                <LanguageForm user={user} />
              </Section>
            </>
          )
        }
      </QueryView>
      <Section title={t("Password")}>
        <PasswordForm />
      </Section>
      <Section title={t("Projects")}>
        <QueryView query={projects}>{(list) => <MembershipList projects={list} />}</QueryView>
      </Section>
      <Section title={t("Close the account")}>
        <ClosingSection />
      </Section>
    </Page>
  );
}
