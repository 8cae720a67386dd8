/** The raters together and one by one; the second is for leads alone. */
import { useProject } from "../api/project";
import { t } from "../lib/i18n/t";
import { SubNav } from "./sub-nav";

export type AgreementPageName = "agreement" | "agreement/raters";

const PAGES = [
  { page: "agreement", name: "All raters" },
  { page: "agreement/raters", name: "One by one" },
] as const satisfies readonly { readonly page: AgreementPageName; readonly name: string }[];

export function AgreementNav({ current }: { readonly current: AgreementPageName }) {
  const { role } = useProject();
  if (role !== "lead") return null;
  return (
    <SubNav
      label={t("Agreement")}
      pages={PAGES.map(({ page, name }) => ({ page, name: t(name) }))}
      current={current}
    />
  );
}
