/** What a page shows is written in its address, so that it can be shared and "back" works. */
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";

type Changes = Readonly<Record<string, string | number | undefined>>;

export interface SearchState {
  readonly read: (key: string) => string | undefined;
  readonly readNumber: (key: string, fallback: number) => number;
  /** Undefined or empty removes a key. */
  readonly write: (changes: Changes) => void;
}

export function useSearchState(): SearchState {
  const search = useSearch({ strict: false }) as Readonly<Record<string, unknown>>;
  const navigate = useNavigate();
  const read = (key: string) => {
    const value = search[key];
    return value === undefined || value === null || value === "" ? undefined : String(value);
  };
  const readNumber = (key: string, fallback: number) => {
    const value = Number(search[key]);
    return Number.isInteger(value) && value > 0 ? value : fallback;
  };
  const write = useCallback(
    (changes: Changes) => {
      const change = (before: Readonly<Record<string, unknown>>) =>
        Object.fromEntries(
          Object.entries({ ...before, ...changes }).filter(
            ([, value]) => value !== undefined && value !== "",
          ),
        );
      void navigate({ to: ".", search: change as never, replace: true, resetScroll: false });
    },
    [navigate],
  );
  return { read, readNumber, write };
}
