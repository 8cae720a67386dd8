/** Says that a page's figures rest on too little, in words that fit every page of figures. */
import { Notice } from "../components/notice";
import { countOf, FEW } from "../lib/numbers";

interface FewNoticeProps {
  readonly count: number;
  /** What is counted, in the singular. */
  readonly thing: string;
  /** What one more of them could change, as the subject of a sentence. */
  readonly figures?: string;
}

export function FewNotice({ count, thing, figures = "Each of these figures" }: FewNoticeProps) {
  if (count === 0 || count >= FEW) return null;
  return (
    <Notice title={`Only ${countOf(count, thing)}`}>
      <p>
        That is too few to draw conclusions. {figures} may change a lot with one more {thing}.
      </p>
    </Notice>
  );
}
