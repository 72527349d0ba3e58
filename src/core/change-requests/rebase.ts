import { type Content, isSame } from "../audit/changed-fields.ts";

/** Which side a field takes that both have changed: the resource now, or the request. */
export type Take = "current" | "request";

/** The content of a target: before the request, now, and after the request. */
export interface Contents {
  readonly base: Content;
  readonly current: Content;
  readonly after: Content;
}

/** What a request changes after a rebase. */
export interface Rebased {
  /** The values that the request sets, by field. */
  readonly change: Content;
  /** The fields that both have changed and that have no choice. A rule is the field `rules.<id>`. */
  readonly conflicts: readonly string[];
}

/** The list whose items are merged one by one, by their ids. */
const RULES = "rules";

/** An ordered rule. */
type Rule = Content & { readonly id: string };

/**
 * Returns what a request changes in the content as it is now. A field that only the request has
 * changed is taken from it, and one that only others have changed stays as it is. Where both have
 * changed a field, `take` decides; undefined: it is a conflict.
 */
export function rebase(
  { base, current, after }: Contents,
  take: (field: string) => Take | undefined,
): Rebased {
  const change: Record<string, unknown> = {};
  const conflicts: string[] = [];
  for (const field of Object.keys(after)) {
    const [was, is, wanted] = [base[field], current[field], after[field]];
    if (isSame(was, wanted) || isSame(is, wanted)) continue;
    if (field === RULES) {
      const merged = rebaseRules([was, is, wanted].map(rulesOf) as RuleLists, take);
      conflicts.push(...merged.conflicts);
      change[field] = merged.rules;
      continue;
    }
    const side = isSame(was, is) ? "request" : take(field);
    if (side === undefined) conflicts.push(field);
    if (side === "request") change[field] = wanted;
  }
  return { change, conflicts };
}

/** The rules before the request, now, and after the request. */
type RuleLists = [readonly Rule[], readonly Rule[], readonly Rule[]];

const rulesOf = (value: unknown): readonly Rule[] =>
  Array.isArray(value) ? (value as Rule[]) : [];

/**
 * Merges ordered rules by their ids. They have the order of the request; a rule that others have
 * added follows the rule that it follows now.
 */
function rebaseRules(
  [base, current, after]: RuleLists,
  take: (field: string) => Take | undefined,
): { readonly rules: readonly Rule[]; readonly conflicts: readonly string[] } {
  const [before, now, wanted] = [base, current, after].map(
    (rules) => new Map(rules.map((rule) => [rule.id, rule])),
  ) as [Map<string, Rule>, Map<string, Rule>, Map<string, Rule>];
  const conflicts: string[] = [];
  /** Returns a rule of either side; undefined if it is deleted. */
  const merged = (id: string): Rule | undefined => {
    const [was, is, will] = [before.get(id), now.get(id), wanted.get(id)];
    if (isSame(was, will)) return is;
    if (isSame(was, is) || isSame(is, will)) return will;
    const side = take(`${RULES}.${id}`);
    if (side === undefined) conflicts.push(`${RULES}.${id}`);
    return side === "current" ? is : will;
  };
  const order = [...wanted.keys()];
  let previous = -1;
  for (const id of now.keys()) {
    if (!order.includes(id)) order.splice(previous + 1, 0, id);
    previous = order.indexOf(id);
  }
  for (const id of before.keys()) if (!order.includes(id)) order.push(id);
  return { rules: order.flatMap((id) => merged(id) ?? []), conflicts };
}
