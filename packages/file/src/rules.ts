import { comparable, type Owner } from "./defaults.ts";
import type { FileRule } from "./file.ts";
import { canonicalJson } from "./json.ts";

/** A rule with its id, and the rule of the strategy that it continues. */
export interface MatchedRule {
  readonly rule: FileRule & { readonly id: string };
  /** Undefined: a new rule. */
  readonly current: FileRule | undefined;
}

/**
 * Gives the rules of a file their ids. A rule continues the rule of the strategy with the same id,
 * else with the same content, else with the same name if only one has that name. Another rule is
 * new. It keeps the id that it has, or else gets one that follows from its content, so that a plan
 * and its apply give it the same. Rules with the same content count from 0.
 */
export async function matchRules(
  { place, owner }: { readonly place: string; readonly owner: Owner },
  rules: readonly FileRule[],
  current: readonly FileRule[],
): Promise<MatchedRule[]> {
  const matches = continuedRules(owner, rules, current);
  const taken = new Set([...current, ...rules].flatMap(({ id }) => (id === undefined ? [] : id)));
  const result: MatchedRule[] = [];
  // How many ids each content has had, so that a later rule with the same content does not try them again.
  const counts = new Map<string, number>();
  const newId = async (content: string): Promise<string> => {
    for (let n = counts.get(content) ?? 0; ; n++) {
      const id = await base36([place, content, String(n)].join("\n"));
      counts.set(content, n + 1);
      if (!taken.has(id)) return id;
    }
  };
  for (const [n, rule] of rules.entries()) {
    const found = matches[n];
    const id = rule.id ?? found?.id ?? (await newId(contentOf(owner, rule)));
    taken.add(id);
    result.push({ rule: { ...rule, id }, current: found });
  }
  return result;
}

/** Returns for each rule of a file the rule of the strategy that it continues; undefined: it is new. */
export function continuedRules(
  owner: Owner,
  rules: readonly FileRule[],
  current: readonly FileRule[],
): (FileRule | undefined)[] {
  const free = new Set(current);
  const byId = new Map(current.toReversed().map((one) => [one.id, one]));
  const matches: (FileRule | undefined)[] = rules.map(({ id }) => {
    const same = id === undefined ? undefined : byId.get(id);
    if (same) free.delete(same);
    return same;
  });
  const contents = rules.map((rule) => contentOf(owner, rule));
  const match = (find: (rule: FileRule, n: number) => FileRule | undefined) => {
    for (const [n, rule] of rules.entries()) {
      if (rule.id !== undefined || matches[n]) continue;
      const found = find(rule, n);
      if (!found) continue;
      free.delete(found);
      matches[n] = found;
    }
  };
  const byContent = grouped(current, (rule) => contentOf(owner, rule));
  match((_, n) => byContent.get(contents[n] ?? "")?.find((one) => free.has(one)));
  const [wanted, existing] = [rules, current].map((list) => grouped(list, ({ name }) => name));
  match(({ name }) => {
    if (name == null || (wanted?.get(name)?.length ?? 0) > 1) return undefined;
    const [only, ...more] = existing?.get(name) ?? [];
    return only && more.length === 0 && free.has(only) ? only : undefined;
  });
  return matches;
}

// Not `Map.groupBy`, which Node 20 lacks.
function grouped<Key>(rules: readonly FileRule[], keyOf: (rule: FileRule) => Key) {
  const groups = new Map<Key, FileRule[]>();
  for (const rule of rules) {
    const key = keyOf(rule);
    const group = groups.get(key);
    if (group) group.push(rule);
    else groups.set(key, [rule]);
  }
  return groups;
}

/** Returns the content of a rule as a text: without its id, and without the history of its split. */
function contentOf(owner: Owner, rule: FileRule): string {
  const { serve } = rule;
  const content = {
    ...rule,
    ...(serve && "weights" in serve && { serve: { weights: serve.weights } }),
  };
  const [complete] = comparable(owner, "rules", [content]) as readonly FileRule[];
  const { id: _, ...rest } = complete ?? {};
  return canonicalJson(rest);
}

const ID_LENGTH = 10;

/** Returns the first characters of the SHA-256 of a text in base 36. */
async function base36(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const number = new Uint8Array(digest).reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  return number.toString(36).padStart(ID_LENGTH, "0").slice(0, ID_LENGTH);
}
