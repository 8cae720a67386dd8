/** Words to look for and the state to be in; both are written in the address. */
import { Select } from "../../components/field";
import { SearchForm } from "../../components/search-form";
import type { SearchState } from "../../lib/search-state";
import { ANSWER_STATES } from "./words";

export function AnswerFilter({ search }: { readonly search: SearchState }) {
  return (
    <SearchForm search={search} label="Search questions, gold, answers, comments, evidence and reasons">
      <Select
        label="State"
        value={search.read("state") ?? ""}
        onChange={(event) => search.write({ state: event.target.value, page: undefined })}
      >
        <option value="">Any</option>
        {ANSWER_STATES.map((state) => (
          <option key={state.value} value={state.value}>
            {state.name}
          </option>
        ))}
      </Select>
    </SearchForm>
  );
}
