/** The title of the window names page and study. */
import { useEffect } from "react";

export function useTitle(...parts: readonly (string | null | undefined)[]): void {
  const title = [...parts, "Assay"].filter(Boolean).join(" · ");
  useEffect(() => {
    document.title = title;
  }, [title]);
}
