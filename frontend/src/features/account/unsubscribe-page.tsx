/** Where the link leads that ends messages about what waits; nobody needs to sign in. */
import { useParams } from "@tanstack/react-router";
import { post } from "../../api/client";
import { Form, Submit } from "../../components/form";
import { Page, PageHeader, useTitle } from "../../components/page";
import { useWrite } from "../../components/use-write";
import { t } from "../../lib/i18n/t";

export function UnsubscribePage() {
  const { token = "" } = useParams({ strict: false });
  useTitle(t("Unsubscribe"));
  const ending = useWrite(() => post("/api/unsubscribe/{token}", { token }));
  if (ending.isSuccess)
    return (
      <Page width="narrow">
        <PageHeader title={t("Unsubscribed")} />
        <p role="status">{t("You will get no more messages about work waiting for you.")}</p>
      </Page>
    );
  return (
    <Page width="narrow">
      <PageHeader title={t("Unsubscribe")} lead={t("Stop messages about work waiting for you?")} />
      <Form onSubmit={() => ending.mutate()}>
        <Submit write={ending} variant="primary" size="large">
          {t("Unsubscribe")}
        </Submit>
      </Form>
    </Page>
  );
}
