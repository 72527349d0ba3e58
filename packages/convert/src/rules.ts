import type { FileActivation, FileRule, FileStrategy } from "@feature-flags/file/file";
import type { Conjunction } from "./condition.ts";
import { MAX_RULES } from "./limits.ts";
import { Refusal } from "./report.ts";

/** Returns one rule for each alternative, all of which serve the same. */
export const rulesFor = (
  alternatives: readonly Conjunction[],
  served: FileRule,
): readonly FileRule[] =>
  alternatives.map(({ constraints, segments }) =>
    Object.assign(
      {},
      served,
      constraints.length > 0 && { constraints },
      segments.length > 0 && { segments },
    ),
  );

/** Returns the strategy with these rules before its own fields. Throws: Refusal if they are too many. */
export function strategyWith(
  enabled: boolean,
  rules: readonly FileRule[],
  own: FileActivation,
): FileStrategy {
  if (rules.length > MAX_RULES) throw new Refusal("tooManyRules", { limit: MAX_RULES });
  return { enabled, ...own, ...(rules.length > 0 && { rules }) };
}
