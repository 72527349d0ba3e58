import { useState } from "react";
import { isSameContent, type StrategyContent } from "./strategy.ts";

interface Draft {
  /** What was saved when the editing began. */
  base: StrategyContent;
  values: StrategyContent;
}

/**
 * What is typed over what is saved. As long as nothing is, it follows what others save; once
 * something is, it stays, and `isOvertaken` tells that they have saved something else meanwhile.
 */
export function useDraft(saved: StrategyContent) {
  const [{ base, values }, setDraft] = useState<Draft>({ base: saved, values: saved });
  const isOvertaken = !isSameContent(saved, base);
  if (isOvertaken && (isSameContent(values, base) || isSameContent(values, saved)))
    setDraft({ base: saved, values: saved });
  return {
    values,
    isDirty: !isSameContent(values, base),
    isOvertaken,
    change: (part: Partial<StrategyContent>) =>
      setDraft((draft) => ({ ...draft, values: { ...draft.values, ...part } })),
    discard: () => setDraft({ base: saved, values: saved }),
    /** What others have saved meanwhile is known, and what is typed stays. */
    keep: () => setDraft((draft) => ({ ...draft, base: saved })),
    /** `sent` is saved now, as `answered`; what was typed since then stays. */
    settle: (sent: StrategyContent, answered: StrategyContent) =>
      setDraft((draft) => ({
        base: answered,
        values: isSameContent(draft.values, sent) ? answered : draft.values,
      })),
  };
}
