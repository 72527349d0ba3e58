import { useState } from "react";
import { isSameContent, type StrategyContent } from "./strategy.ts";

interface Draft {
  /** The saved values on which the draft is based. */
  base: StrategyContent;
  values: StrategyContent;
}

/**
 * The unsaved values of the form. A draft without changes follows `saved`. A draft with changes
 * stays, and `isOutdated` is true once another user has saved other values.
 */
export function useDraft(saved: StrategyContent) {
  const [{ base, values }, setDraft] = useState<Draft>({ base: saved, values: saved });
  const isOutdated = !isSameContent(saved, base);
  if (isOutdated && (isSameContent(values, base) || isSameContent(values, saved)))
    setDraft({ base: saved, values: saved });
  return {
    values,
    isDirty: !isSameContent(values, base),
    isOutdated,
    change: (part: Partial<StrategyContent>) =>
      setDraft((draft) => ({ ...draft, values: { ...draft.values, ...part } })),
    discard: () => setDraft({ base: saved, values: saved }),
    /** Keeps the changes and bases them on the values that are saved now. */
    keep: () => setDraft((draft) => ({ ...draft, base: saved })),
    /** After a save: `returned` is the API's form of `sent`. Keeps changes made during the request. */
    settle: (sent: StrategyContent, returned: StrategyContent) =>
      setDraft((draft) => ({
        base: returned,
        values: isSameContent(draft.values, sent) ? returned : draft.values,
      })),
  };
}
