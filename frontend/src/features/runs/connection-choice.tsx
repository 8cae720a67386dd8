/** Which model is asked. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { read } from "../../api/client";
import { Select } from "../../components/form";
import { Notice } from "../../components/notice";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView, Skeleton } from "../../components/query-view";

interface ConnectionChoiceProps {
  readonly slug: string;
  readonly value: string;
  readonly onChange: (id: string) => void;
}

export function ConnectionChoice({ slug, value, onChange }: ConnectionChoiceProps) {
  const query = useQuery(read("/api/projects/{slug}/connections", { slug }));
  // Where there is but one there is nothing to choose.
  const only = query.data?.length === 1 ? query.data[0]?.id : undefined;
  useEffect(() => {
    if (only !== undefined && value === "") onChange(only);
  }, [only, value, onChange]);
  return (
    <QueryView query={query} loading={<Skeleton lines={2} />}>
      {(connections) =>
        connections.length === 0 ? (
          <Notice
            title="No model is connected yet"
            actions={<ProjectButtonLink page="runs/connections">Connect a model</ProjectButtonLink>}
          >
            <p>This judge asks a language model. Say where one is reached, then come back.</p>
          </Notice>
        ) : (
          <Select
            label="Connection"
            required
            value={value}
            onChange={(event) => onChange(event.target.value)}
          >
            <option value="" disabled>
              Choose a model
            </option>
            {connections.map((connection) => (
              <option key={connection.id} value={connection.id}>
                {connection.name} ({connection.model})
              </option>
            ))}
          </Select>
        )
      }
    </QueryView>
  );
}
