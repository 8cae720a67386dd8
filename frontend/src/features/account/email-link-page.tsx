/** Where the link leads that confirms an email address; opening it alone confirms nothing. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { keyOf, post, read } from "../../api/client";
import { sessionQuery } from "../../api/session";
import { ButtonLink } from "../../components/button";
import { DeadLink, isDeadLink } from "../../components/dead-link";
import { Form, Submit } from "../../components/form";
import { Page, PageHeader, useTitle } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { useWrite } from "../../components/use-write";
import { t } from "../../lib/i18n/t";

export function EmailLinkPage() {
  const { token = "" } = useParams({ strict: false });
  useTitle(t("Confirm your email address"));
  const queryClient = useQueryClient();
  const link = useQuery({ ...read("/api/email-links/{token}", { token }), retry: false });
  const confirming = useWrite(
    async () => {
      await queryClient.ensureQueryData(sessionQuery);
      return post("/api/email-links/{token}", { token });
    },
    { stale: [keyOf("/api/account/email")] },
  );
  if (confirming.isSuccess)
    return (
      <Page width="narrow">
        <PageHeader title={t("Email address confirmed")} />
        <p>
          <Link to="/account">{t("Go to your account")}</Link>
        </p>
      </Page>
    );
  const unusable = [link.error, confirming.error].find(isDeadLink);
  return (
    <Page width="narrow">
      {unusable ? (
        <DeadLink
          error={unusable}
          action={<ButtonLink to="/account">{t("Go to your account")}</ButtonLink>}
        />
      ) : (
        <QueryView query={link} level={1}>
          {(found) => (
            <>
              <PageHeader
                title={t("Confirm your email address")}
                lead={t("Messages for the account {username} will go to {address}.", { ...found })}
              />
              <Form onSubmit={() => confirming.mutate()}>
                <Submit write={confirming} variant="primary" size="large">
                  {t("Confirm")}
                </Submit>
              </Form>
              <p>{t("Not your account? Close this page.")}</p>
            </>
          )}
        </QueryView>
      )}
    </Page>
  );
}
