/** The protocol in plain words, and the way to where it is adapted. */
import { useQuery } from "@tanstack/react-query";
import { ProjectButtonLink } from "../../components/project-link";
import { QueryView } from "../../components/query-view";
import { factsOf } from "../../lib/protocol-words";
import { read } from "../../api/client";
import styles from "./settings.module.css";

export function ProtocolSection({ slug }: { readonly slug: string }) {
  const protocol = useQuery(read("/api/projects/{slug}/protocol", { slug }));
  return (
    <QueryView query={protocol}>
      {(version) => (
        <dl className={styles["facts"]}>
          {factsOf(version.spec).map((fact) => (
            <div key={fact.name} className={styles["fact"]}>
              <dt>{fact.name}</dt>
              <dd>{fact.words}</dd>
            </div>
          ))}
        </dl>
      )}
    </QueryView>
  );
}

export function ProtocolLink() {
  return (
    <div className={styles["actions"]}>
      <ProjectButtonLink page="protocol">Adapt the protocol</ProjectButtonLink>
    </div>
  );
}
