/** The language of the pages, kept with the account. */
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { patch } from "../../api/client";
import { sessionQuery } from "../../api/session";
import type { User } from "../../api/contract";
import { messageOf } from "../../api/error";
import { Select } from "../../components/field";
import { Fields, FormError } from "../../components/form";
import { useToast } from "../../components/toast";
import { type Language, LANGUAGES } from "../../lib/i18n/languages";
import { t } from "../../lib/i18n/t";

const KEYS = Object.keys(LANGUAGES) as Language[];

export function LanguageForm({ user }: { readonly user: User }) {
  const queryClient = useQueryClient();
  const toast = useToast();
  const change = useMutation({
    mutationFn: (language: User["language"]) => patch("/api/account", {}, { language }),
    onSuccess: async () => {
      // Reading the session anew puts the language in force, so the note is in it.
      await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey });
      toast({ text: t("The pages speak this language now.") });
    },
  });
  return (
    <Fields>
      <Select
        label={t("Language of the pages")}
        hint={t("Questions, answers and guidelines stay in the language of their study.")}
        value={change.isPending ? change.variables : user.language}
        onChange={(event) => change.mutate(event.target.value as User["language"])}
      >
        <option value="">{t("As the browser says")}</option>
        {KEYS.map((key) => (
          <option key={key} value={key} lang={key}>
            {LANGUAGES[key].name}
          </option>
        ))}
      </Select>
      {change.isError && <FormError>{messageOf(change.error)}</FormError>}
    </Fields>
  );
}
