import { randomId } from "@mantine/hooks";
import type { Flag, Serve } from "../../shared/api/types.ts";
import { isServing } from "../../shared/strategy/rule-words.ts";
import { forTexts, type RuleSettings } from "../../shared/strategy/settings.ts";

/** A rule that the server does not know yet has an id that begins with `NEW`. */
export interface DraftRule extends RuleSettings {
  readonly id: string;
}

/**
 * The beginning of the ids of new rules. The ids of the server consist of letters and digits, so
 * none of them begins like this.
 */
const NEW = "new-";

/**
 * Returns the variant that a new rule serves: `on`, or else the first variant that is not served to everyone
 * else. A rule with the variant of the last rule would have no effect.
 */
export function firstVariant(
  { valueType, variants }: Pick<Flag, "valueType" | "variants">,
  last: Serve,
): string {
  const other = variants.find(({ key }) => !isServing(last, key));
  return ((valueType !== "boolean" && other) || variants[0])?.key ?? "";
}

/** Creates a rule for everyone, which serves the variant. */
export const newRule = (variant: string): DraftRule => ({
  id: randomId(NEW),
  name: null,
  exactPercentage: 100,
  constraints: [],
  segmentIds: [],
  ...forTexts(() => null),
  serve: { variant },
});

/**
 * Gives every rule the id of a new rule, so that the rules can be copied to another environment.
 */
export const asNewRules = (rules: readonly DraftRule[]): DraftRule[] =>
  rules.map((rule) => ({ ...rule, id: randomId(NEW) }));

/** Returns a copy of the list with the rule at `from` moved to the place `to`. */
export function movedRule<T>(rules: readonly T[], from: number, to: number): T[] {
  const moved = rules.slice(from, from + 1);
  return rules.toSpliced(from, 1).toSpliced(to, 0, ...moved);
}

/** Returns the rules as a request contains them: without the ids of new rules. */
export const rulesRequest = (rules: readonly DraftRule[]): (RuleSettings & { id?: string })[] =>
  rules.map(({ id, ...rule }) => (isNew(id) ? rule : { id, ...rule }));

/**
 * Gives the id of a new rule to each rule that is not saved, because the server rejects unknown
 * ids.
 */
export function withKnownIds(
  rules: readonly DraftRule[],
  saved: readonly DraftRule[],
): readonly DraftRule[] {
  const known = new Set(saved.map(({ id }) => id));
  return rules.map((rule) =>
    isNew(rule.id) || known.has(rule.id) ? rule : { ...rule, id: randomId(NEW) },
  );
}

/**
 * Gives rules the ids that the server has assigned. `sent` are the rules of the request and `saved`
 * those of the response, in the same order.
 */
export function withSavedIds(
  rules: readonly DraftRule[],
  sent: readonly DraftRule[],
  saved: readonly DraftRule[],
): readonly DraftRule[] {
  const ids = new Map(sent.map(({ id }, index) => [id, saved[index]?.id]));
  return rules.map((rule) => ({ ...rule, id: ids.get(rule.id) ?? rule.id }));
}

const isNew = (id: string): boolean => id.startsWith(NEW);

/** Whether a rule decides for every user, so that later rules have no effect. */
export const isForEveryone = (rule: RuleSettings): boolean =>
  rule.exactPercentage === 100 && rule.constraints.length === 0 && rule.segmentIds.length === 0;
