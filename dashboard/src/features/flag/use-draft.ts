import { useState } from "react";
import { isSameContent, type StrategyContent } from "./strategy.ts";

interface Draft {
  /** The saved values on which the user's changes are based. */
  base: StrategyContent;
  values: StrategyContent;
}

/**
 * A hook that holds the values of the strategy form. Without changes by the user, these values
 * follow `saved`. Otherwise the changes are kept, and `isOutdated` is true once the saved values
 * differ from those that the user started from.
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
    /** Keeps the user's changes, and takes the currently saved values as their base. */
    rebase: () => setDraft((draft) => ({ ...draft, base: saved })),
    /**
     * Takes over the result of a save. `sent` are the values in the request, and `returned` the
     * values in the response. Keeps the changes that the user made during the request.
     */
    afterSave: (sent: StrategyContent, returned: StrategyContent) =>
      setDraft((draft) => ({
        base: returned,
        values: isSameContent(draft.values, sent) ? returned : draft.values,
      })),
  };
}
