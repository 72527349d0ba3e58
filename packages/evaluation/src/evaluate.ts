import { bucket } from "./bucket.ts";
import type { Condition } from "./constraint.ts";
import { NEVER, compileConstraint } from "./constraint.ts";
import { idReader } from "./context.ts";
import type { ClientRule, EvaluationContext, Reason, Verdict } from "./rule.ts";

/** A compiled rule. Callers treat it as opaque: `compileRule` makes it, `evaluate` reads it. */
export interface CompiledRule {
  readonly key: string;
  readonly enabled: boolean;
  /**
   * The conditions of the rule, all of which must hold. A segment contributes all of its
   * constraints.
   */
  readonly conditions: readonly Condition[];
  /** The percentage of the roll-out, 0 to 100. */
  readonly rollOut: number;
  readonly readId: (context: EvaluationContext) => string | undefined;
  /**
   * The verdict (the result of an evaluation) when all conditions hold and the roll-out is 100 %.
   */
  readonly whenOn: Verdict;
}

// Verdicts (results of an evaluation) are shared and frozen, so that an evaluation allocates none.
const verdict = (enabled: boolean, reason: Reason): Verdict => Object.freeze({ enabled, reason });
const DISABLED = verdict(false, "DISABLED");
const FLAG_NOT_FOUND = verdict(false, "FLAG_NOT_FOUND");
const CONSTRAINT_MISMATCH = verdict(false, "CONSTRAINT_MISMATCH");
const TARGETING_KEY_MISSING = verdict(false, "TARGETING_KEY_MISSING");
const TARGETING_MATCH = verdict(true, "TARGETING_MATCH");
const STATIC = verdict(true, "STATIC");
const SPLIT_ON = verdict(true, "SPLIT");
const SPLIT_OFF = verdict(false, "SPLIT");

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/**
 * Returns the conditions of a segment. A segment without constraints never holds, because an empty
 * segment must not contain everybody.
 */
function compileSegment(segment: unknown): Condition[] {
  const constraints = isRecord(segment) ? segment["constraints"] : undefined;
  return Array.isArray(constraints) && constraints.length > 0
    ? Array.from(constraints, compileConstraint)
    : [NEVER];
}

function malformed(key: string): CompiledRule {
  return {
    key,
    enabled: false,
    conditions: [],
    rollOut: 0,
    readId: () => undefined,
    whenOn: DISABLED,
  };
}

/**
 * Whether a rule is well formed, apart from its constraints and segments, each of which is checked
 * when it is compiled.
 */
function isWellFormed(rule: unknown): rule is ClientRule {
  if (!isRecord(rule) || !isRecord(rule["activation"])) return false;
  const { rollOut, constraints, segments, stickiness } = rule["activation"];
  return (
    typeof rule["key"] === "string" &&
    typeof rule["enabled"] === "boolean" &&
    Number.isFinite(rollOut) &&
    Array.isArray(constraints) &&
    Array.isArray(segments) &&
    (stickiness === undefined || typeof stickiness === "string")
  );
}

function compileWellFormed({ key, enabled, archived, activation }: ClientRule): CompiledRule {
  const { rollOut, constraints, segments, stickiness } = activation;
  const conditions = [
    ...Array.from(constraints, compileConstraint),
    ...Array.from(segments, compileSegment).flat(),
  ];
  return {
    key,
    enabled: enabled && archived !== true,
    conditions,
    rollOut,
    readId: idReader(stickiness),
    whenOn: conditions.length > 0 ? TARGETING_MATCH : STATIC,
  };
}

/**
 * Compiles a rule once for many evaluations. Never throws: a malformed rule is always off with the
 * reason `DISABLED`, and a malformed constraint or segment never holds.
 *
 * @param rule a `ClientRule`, or any other value received in its place
 */
export function compileRule(rule: unknown): CompiledRule {
  let key = "";
  try {
    key = isRecord(rule) && typeof rule["key"] === "string" ? rule["key"] : "";
    return isWellFormed(rule) ? compileWellFormed(rule) : malformed(key);
  } catch {
    // This happens when a getter or a proxy in the rule throws. A rule from JSON has neither.
    return malformed(key);
  }
}

/**
 * Compiles rules into a map by flag key. A malformed rule does not affect other rules. A rule
 * without a flag key is left out.
 */
export function compileRules(rules: readonly unknown[]): Map<string, CompiledRule> {
  const compiled = Array.from(rules, compileRule).filter(({ key }) => key !== "");
  return new Map(compiled.map((rule) => [rule.key, rule]));
}

function decide(rule: CompiledRule, context: EvaluationContext): Verdict {
  for (const holds of rule.conditions) if (!holds(context)) return CONSTRAINT_MISMATCH;
  if (rule.rollOut >= 100) return rule.whenOn;
  if (rule.rollOut <= 0) return SPLIT_OFF;
  const id = rule.readId(context);
  if (id === undefined) return TARGETING_KEY_MISSING;
  return bucket(rule.key, id) <= rule.rollOut ? SPLIT_ON : SPLIT_OFF;
}

/**
 * Evaluates a rule for one context. Never throws.
 *
 * @param rule a compiled rule; undefined when the flag does not exist
 * @param context only its own properties are read; a value that is not an object is an empty
 * context
 * @returns the verdict, which is one of a few shared, frozen objects
 */
export function evaluate(rule: CompiledRule | undefined, context: EvaluationContext): Verdict {
  if (rule === undefined) return FLAG_NOT_FOUND;
  if (!rule.enabled) return DISABLED;
  try {
    return decide(rule, context);
  } catch {
    // This happens when a getter or a proxy in the context throws. A context from JSON has neither.
    return CONSTRAINT_MISMATCH;
  }
}
