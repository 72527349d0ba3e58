import { isRecord } from "./record.ts";
import type { RegexPool } from "./regex-pool.ts";
import type { ClientRule, Verdict } from "./rule.ts";
import {
  compileActivation,
  type FlagParts,
  isActivation,
  type CompiledActivation,
  unreadableActivation,
} from "./compiled-activation.ts";
import { PLAIN_VERDICTS, type ValueTexts, valuedVerdicts, type Verdicts } from "./verdict.ts";

/**
 * The compiled rule of a flag. Callers treat it as opaque: `compileRule` makes it, `evaluateRule`
 * reads it.
 */
export interface CompiledRule {
  readonly key: string;
  readonly enabled: boolean;
  /** Whether a prerequisite can name this flag: the flag is well formed and not archived. */
  readonly canBeRequired: boolean;
  /** The last rule: the strategy's own fields. */
  readonly last: CompiledActivation;
  /** The verdicts when no rule decides. */
  readonly off: Verdicts["off"];
  /** The parts that a plain boolean flag does not have; undefined for such a flag. */
  readonly extras: Extras | undefined;
  /**
   * The verdict of the newest batch. Undefined for a flag that no other flag requires, because such
   * a flag is asked for only once per batch.
   */
  memo: Memo | undefined;
}

interface Memo {
  /** The batch in which `verdict` was found. */
  batch: number;
  verdict: Verdict;
}

export interface Extras {
  /** Whether the flag is a boolean whose verdicts have no variant. */
  readonly isPlain: boolean;
  /** The ordered rules, and then the last rule. */
  readonly steps: readonly CompiledActivation[];
  readonly requires: readonly Requirement[];
  /** The linked required flags (see `linkPrerequisites`). */
  readonly state: State;
}

/** A compiled prerequisite. */
export interface Requirement {
  /** The key of the required flag. Undefined for a malformed prerequisite, which never holds. */
  readonly flagKey: string | undefined;
  readonly enabled: boolean;
  readonly variants: readonly string[] | undefined;
}

interface State {
  /** The flags of `requires`, in its order; undefined for a flag that is missing or archived. */
  parents: readonly (CompiledRule | undefined)[];
  /** Whether the flag is on a cycle of prerequisites, or requires a flag that is on one. */
  isCyclic: boolean;
}

const malformed = (key: string): CompiledRule => ({
  key,
  enabled: false,
  canBeRequired: false,
  last: unreadableActivation(PLAIN_VERDICTS),
  off: PLAIN_VERDICTS.off,
  extras: undefined,
  memo: undefined,
});

/**
 * Whether the fields are well formed that every rule has. Does not check constraints, segments,
 * ordered rules and prerequisites, because a malformed one does not make the whole rule malformed.
 */
function isWellFormed(rule: unknown): rule is ClientRule {
  if (!isRecord(rule) || !isActivation(rule["activation"])) return false;
  const { type, variants, offVariant, rules } = rule;
  return (
    typeof rule["key"] === "string" &&
    typeof rule["enabled"] === "boolean" &&
    (type === undefined || typeof type === "string") &&
    (variants === undefined || (isRecord(variants) && !Array.isArray(variants))) &&
    (offVariant === undefined || offVariant === null || typeof offVariant === "string") &&
    (rules === undefined || Array.isArray(rules))
  );
}

/** Whether a flag is a boolean flag whose verdicts have no variant. */
const isPlain = ({ activation, offVariant, rules = [] }: ClientRule, isBoolean: boolean): boolean =>
  isBoolean &&
  offVariant === undefined &&
  rules.length === 0 &&
  activation.serve === undefined &&
  activation.slots === undefined;

function compileOrdered(
  rule: unknown,
  flag: FlagParts,
  place: { readonly isFirst: boolean },
): CompiledActivation {
  const id = isRecord(rule) ? rule["id"] : undefined;
  return typeof id === "string" && isActivation(rule)
    ? compileActivation(rule, { id, ...place }, flag)
    : unreadableActivation(flag.verdicts);
}

/**
 * Compiles the prerequisites of a flag. Anything but a list becomes a prerequisite that never
 * holds.
 */
function compileRequirements(prerequisites: unknown): Requirement[] {
  if (prerequisites === undefined) return [];
  return Array.from(
    Array.isArray(prerequisites) ? (prerequisites as unknown[]) : [undefined],
    compileRequirement,
  );
}

function compileRequirement(prerequisite: unknown): Requirement {
  const given = isRecord(prerequisite) ? prerequisite : {};
  const { flagKey, enabled = true, variants } = given;
  const isSound =
    typeof flagKey === "string" &&
    typeof enabled === "boolean" &&
    (variants === undefined || Array.isArray(variants));
  return isSound
    ? { flagKey, enabled, variants }
    : { flagKey: undefined, enabled: true, variants: undefined };
}

function compileWellFormed(rule: ClientRule, options: CompileOptions): CompiledRule {
  const { regexes, valueTexts } = options;
  const { key, enabled, archived, activation, type = "boolean", variants = {}, rules = [] } = rule;
  const isBoolean = type === "boolean";
  const { offVariant = isBoolean ? "off" : null } = rule;
  const hasPlainVerdicts = isPlain(rule, isBoolean);
  const verdicts = hasPlainVerdicts
    ? PLAIN_VERDICTS
    : valuedVerdicts({ isBoolean, variants, offVariant, valueTexts });
  if (verdicts === undefined) return malformed(key);
  const flag = { key, isBoolean, verdicts, regexes };
  const requires = compileRequirements(rule.prerequisites);
  const ordered = Array.from(rules, (one, index) =>
    compileOrdered(one, flag, { isFirst: index === 0 && requires.length === 0 }),
  );
  const isFirst = rules.length === 0 && requires.length === 0;
  const last = compileActivation(activation, { id: undefined, isFirst }, flag);
  const isArchived = archived === true;
  const state = { parents: [], isCyclic: false };
  return {
    key,
    enabled: enabled && !isArchived,
    canBeRequired: !isArchived,
    last,
    off: verdicts.off,
    extras:
      hasPlainVerdicts && requires.length === 0 && last.isReadable
        ? undefined
        : { isPlain: hasPlainVerdicts, steps: [...ordered, last], requires, state },
    memo: undefined,
  };
}

/** How rules are compiled. */
export interface CompileOptions {
  /** Compiles the regular expressions. Rules with the same pool share one limit of their size. */
  readonly regexes: RegexPool;
  /**
   * For a caller that needs verdicts only as JSON: the verdicts have no `value`, and `verdictJson`
   * returns it. Default: the verdicts have a `value`.
   */
  readonly valueTexts?: ValueTexts;
}

/**
 * Compiles a rule once for many evaluations. Never throws: a malformed rule is always off with the
 * reason `DISABLED`, and a malformed constraint or segment never holds. When an evaluation reaches a
 * malformed ordered rule, the flag is off with the reason `DISABLED`.
 *
 * The prerequisites of the rule fail until `linkPrerequisites` links them.
 *
 * @param rule a `ClientRule`, or any other value received in its place
 */
export function compileRule(rule: unknown, options: CompileOptions): CompiledRule {
  let key = "";
  try {
    key = isRecord(rule) && typeof rule["key"] === "string" ? rule["key"] : "";
    return isWellFormed(rule) ? compileWellFormed(rule, options) : malformed(key);
  } catch {
    // Treats the rule as malformed, because a getter or a proxy in it has thrown. A rule from JSON
    // contains neither.
    return malformed(key);
  }
}

/**
 * Compiles rules into a map by flag key, and links their prerequisites. A malformed rule does not
 * affect other rules. A rule without a flag key is left out.
 *
 * The regular expressions of all rules share one limit of size. A regular expression above the
 * limit counts as malformed: its constraint never holds.
 */
export function compileRules(
  rules: readonly unknown[],
  options: CompileOptions,
): Map<string, CompiledRule> {
  const compiled = Array.from(rules, (rule) => compileRule(rule, options)).filter(
    ({ key }) => key !== "",
  );
  const byKey = new Map(compiled.map((rule) => [rule.key, rule]));
  linkPrerequisites(byKey);
  return byKey;
}

/**
 * Links the prerequisites of each rule to the rules of the map. `compileRules` does it for its own
 * result. Rules that were compiled one by one can be linked, and linked again with other rules.
 *
 * A cycle of prerequisites can only come from malformed data. The prerequisites of every flag on
 * the cycle fail, and so do the prerequisites of every flag that requires such a flag, directly or
 * through others.
 */
export function linkPrerequisites(rules: ReadonlyMap<string, CompiledRule>): void {
  const waiting = new Map<CompiledRule, number>();
  const children = new Map<CompiledRule, CompiledRule[]>();
  for (const rule of rules.values()) {
    if (rule.extras === undefined || rule.extras.requires.length === 0) continue;
    const { requires, state } = rule.extras;
    state.parents = requires.map(({ flagKey }) => {
      const parent = flagKey === undefined ? undefined : rules.get(flagKey);
      if (parent?.canBeRequired !== true) return undefined;
      parent.memo ??= { batch: 0, verdict: parent.off.DISABLED };
      return parent;
    });
    waiting.set(rule, 0);
  }
  for (const rule of waiting.keys())
    for (const parent of rule.extras?.state.parents ?? []) {
      if (parent === undefined || !waiting.has(parent)) continue;
      waiting.set(rule, (waiting.get(rule) ?? 0) + 1);
      const own = children.get(parent) ?? [];
      own.push(rule);
      children.set(parent, own);
    }
  // Finds the rules whose parents are all free of cycles. Rules that are never found are on a
  // cycle, or require a flag on one.
  const free = [...waiting].filter(([, count]) => count === 0).map(([rule]) => rule);
  for (const rule of free)
    for (const child of children.get(rule) ?? []) {
      const count = (waiting.get(child) ?? 0) - 1;
      waiting.set(child, count);
      if (count === 0) free.push(child);
    }
  for (const [rule, count] of waiting)
    if (rule.extras !== undefined) rule.extras.state.isCyclic = count > 0;
}
