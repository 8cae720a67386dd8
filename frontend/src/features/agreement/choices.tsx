/** What is compared and how: answers or a check, the reading of labels, the rule for missing votes. */
import type { AgreementWay } from "../../api/agreement";
import type { Agreement } from "../../api/schema";
import { Select } from "../../components/form";
import { LABEL_VIEWS, MISSING_VOTES, ruleOf, viewOf } from "../../domain/vote-reading";
import type { SearchState } from "../../lib/search-state";
import styles from "./agreement-page.module.css";

export function wayOf(search: SearchState): AgreementWay {
  return {
    missingVotes: ruleOf(search.read("missing")),
    labels: viewOf(search.read("labels")),
    check: search.read("check") ?? "",
  };
}

interface ChoicesProps {
  readonly report: Agreement;
  readonly way: AgreementWay;
  readonly write: SearchState["write"];
}

export function Choices({ report, way, write }: ChoicesProps) {
  const views = LABEL_VIEWS.filter(({ value }) => report.label_views.includes(value));
  return (
    <div className={styles["rule"]}>
      {report.checks.length > 0 && (
        <Select
          label="What is compared"
          value={way.check}
          onChange={({ target }) => write({ check: target.value, labels: undefined, by: undefined })}
        >
          <option value="">The answers’ labels</option>
          {report.checks.map(({ key, text }) => (
            <option key={key} value={key}>
              Check: {text}
            </option>
          ))}
        </Select>
      )}
      {views.length > 1 && (
        <Select
          label="Labels read"
          value={way.labels}
          onChange={({ target }) => write({ labels: target.value })}
        >
          {views.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      )}
      {way.check === "" && (
        <Select
          label="A missing vote counts as"
          value={way.missingVotes}
          onChange={({ target }) => write({ missing: target.value })}
        >
          {MISSING_VOTES.map(({ value, name }) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <p className={styles["soft"]}>{report.rule_text}</p>
    </div>
  );
}
