import { useState } from "react";
import { withKnownIds, withSavedIds } from "./draft-rules.ts";
import { isSameContent, type StrategyDraft } from "./strategy.ts";

interface Draft {
  /** The saved values on which the user's changes are based. */
  base: StrategyDraft;
  values: StrategyDraft;
}

/**
 * A hook that holds the values of the strategy form. While the user has changed nothing, these
 * values follow `saved`. Otherwise the user's changes are kept, and `isOutdated` becomes true when
 * `saved` changes.
 */
export function useDraft(saved: StrategyDraft) {
  const [{ base, values }, setDraft] = useState<Draft>({ base: saved, values: saved });
  const isOutdated = !isSameContent(saved, base) || !hasSameIds(saved, base);
  if (isOutdated && (isSameContent(values, base) || isSameContent(values, saved)))
    setDraft({ base: saved, values: saved });
  return {
    values,
    isDirty: !isSameContent(values, base),
    isOutdated,
    change: (part: Partial<StrategyDraft>) =>
      setDraft((draft) => ({ ...draft, values: { ...draft.values, ...part } })),
    discard: () => setDraft({ base: saved, values: saved }),
    /** Keeps the user's changes, but compares them with the currently saved values from now on. */
    rebase: () => {
      const rebased = { ...values, rules: withKnownIds(values.rules, saved.rules) };
      setDraft({ base: saved, values: rebased });
      return rebased;
    },
    /**
     * Takes over the response of a save: `sent` are the values of the request, `returned` those of
     * the response. Keeps changes that the user made during the request.
     */
    afterSave: (sent: StrategyDraft, returned: StrategyDraft) =>
      setDraft((draft) => ({
        base: returned,
        values: isSameContent(draft.values, sent)
          ? returned
          : {
              ...draft.values,
              rules: withSavedIds(draft.values.rules, sent.rules, returned.rules),
            },
      })),
  };
}

/** Whether two lists of rules have the same ids, which a request needs to name the rules. */
const hasSameIds = (a: StrategyDraft, b: StrategyDraft): boolean =>
  a.rules.every(({ id }, index) => id === b.rules[index]?.id);
