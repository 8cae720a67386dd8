/** The runs that sit on a jury, in the order in which they are asked. */
import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/client";
import { Checkbox, FormError } from "../../components/form";
import { QueryView, Skeleton } from "../../components/query-view";
import { membersOf, withMember } from "./members";
import styles from "./new-run.module.css";

interface MemberChoiceProps {
  readonly slug: string;
  /** Ids of runs, parted by commas. */
  readonly value: string;
  readonly error: string | null;
  readonly onChange: (members: string) => void;
}

export function MemberChoice({ slug, value, error, onChange }: MemberChoiceProps) {
  const query = useQuery(read("/api/projects/{slug}/runs", { slug }));
  const members = membersOf(value);
  return (
    <QueryView query={query} loading={<Skeleton lines={3} />}>
      {(runs) => (
        <fieldset className={styles["members"]}>
          <legend>Members, in the order you choose them</legend>
          {runs
            .filter(({ state, judge }) => state === "finished" && judge !== "jury")
            .map((run) => {
              const place = members.indexOf(run.id);
              return (
                <Checkbox
                  key={run.id}
                  label={place >= 0 ? `${run.name} (${place + 1}.)` : run.name}
                  hint={run.signature}
                  checked={place >= 0}
                  onChange={() => onChange(withMember(value, run.id))}
                />
              );
            })}
          {error && <FormError>{error}</FormError>}
        </fieldset>
      )}
    </QueryView>
  );
}
