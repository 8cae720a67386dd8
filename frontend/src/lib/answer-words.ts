/** An answer as it is shown: a system may have said nothing. */
import { t } from "./i18n/t";

export function answerWords(text: string): string {
  return text.trim() === "" ? t("(empty)") : text;
}
