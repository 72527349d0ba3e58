import { useState } from "react";
import { isSameContent, type StrategyContent } from "./strategy.ts";

interface Draft {
  /** The saved values that the user started from. */
  base: StrategyContent;
  values: StrategyContent;
}

/**
 * The form's values while the user edits them. If the user has changed nothing, the values follow
 * `saved`. Otherwise the user's changes are kept, and `isOutdated` becomes true once another user
 * has saved different values.
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
    /** Keeps the user's changes, and accepts the currently saved values as their base. */
    rebase: () => setDraft((draft) => ({ ...draft, base: saved })),
    /**
     * To be called after a save. `sent` are the values that the request contained, and `returned`
     * the values of the response. Changes that the user made during the request are kept.
     */
    afterSave: (sent: StrategyContent, returned: StrategyContent) =>
      setDraft((draft) => ({
        base: returned,
        values: isSameContent(draft.values, sent) ? returned : draft.values,
      })),
  };
}
