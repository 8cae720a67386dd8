/** The study in sentences for a paper, to copy; and what must still happen before they are whole. */
import { useQuery } from "@tanstack/react-query";
import { CopyButton } from "../../components/copy-button";
import { Notice } from "../../components/notice";
import { Section } from "../../components/page";
import { QueryView } from "../../components/query-view";
import { Skeleton } from "../../components/skeleton";
import { read } from "../../api/client";
import styles from "./methods-section.module.css";

export function MethodsSection({ slug }: { readonly slug: string }) {
  const query = useQuery(read("/api/projects/{slug}/methods", { slug }));
  return (
    <Section title="Methods paragraph">
      <QueryView query={query} loading={<Skeleton lines={5} />}>
        {({ text, missing }) => (
          <div className={styles["methods"]}>
            {missing.length > 0 && (
              <Notice tone="info">
                <p>Before it is whole:</p>
                <ul className={styles["missing"]}>
                  {missing.map((sentence) => (
                    <li key={sentence}>{sentence}</li>
                  ))}
                </ul>
              </Notice>
            )}
            <p className={styles["text"]}>{text}</p>
            <div>
              <CopyButton text={text} name="paragraph" />
            </div>
          </div>
        )}
      </QueryView>
    </Section>
  );
}
