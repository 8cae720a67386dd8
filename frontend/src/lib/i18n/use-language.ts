/** The language in force, for what must be drawn anew when it changes. */
import { useSyncExternalStore } from "react";
import { currentLanguage, subscribeToLanguage } from "./catalog";
import type { Language } from "./languages";

export function useLanguage(): Language {
  return useSyncExternalStore(subscribeToLanguage, currentLanguage);
}
