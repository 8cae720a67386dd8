/** The raters together and one by one; the second is for leads alone. */
import { useProject } from "../api/projects/project";
import { SubNav } from "./sub-nav";

export type AgreementPageName = "agreement" | "agreement/raters";

const PAGES: readonly { readonly page: AgreementPageName; readonly name: string }[] = [
  { page: "agreement", name: "All raters" },
  { page: "agreement/raters", name: "One by one" },
];

export function AgreementNav({ current }: { readonly current: AgreementPageName }) {
  const { role } = useProject();
  if (role !== "lead") return null;
  return <SubNav label="Agreement" pages={PAGES} current={current} />;
}
