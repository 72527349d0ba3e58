import { type KeyHash, ROLL_OUT_BUCKETS, rollOutHash } from "./bucket.ts";
import { type Condition, compileConstraint, NEVER } from "./constraint.ts";
import { type IdReader, idReader } from "./context.ts";
import { POSITIONS, rollOutPosition, splitHash, splitPosition } from "./position.ts";
import { isRecord } from "./record.ts";
import type { RegexPool } from "./regex-pool.ts";
import type { EvaluationContext, Activation, Verdict } from "./rule.ts";
import { areSlots, toSlots } from "./slots.ts";
import type { OnReason, Verdicts } from "./verdict.ts";

/** One compiled rule of a flag: an ordered rule, or the strategy's own fields as the last one. */
export interface CompiledActivation {
  /**
   * Whether the rule is well formed. A malformed ordered rule ends the evaluation: the rules after
   * it might serve users whom this rule should have excluded.
   */
  readonly isReadable: boolean;
  /** The conditions, all of which must hold. A segment contributes all of its constraints. */
  readonly conditions: readonly Condition[];
  /** The percentage of the roll-out, 0 to 100, with up to three decimals. */
  readonly percentage: number;
  /** The first position that the roll-out excludes. It includes all positions below. */
  readonly threshold: number;
  readonly rollOutHash: KeyHash;
  readonly readId: IdReader;
  /**
   * The verdict when the conditions hold and the roll-out includes the id. Not used when there is a
   * split.
   */
  readonly served: Verdict;
  readonly split: Split | undefined;
}

/** A compiled weighted split. */
interface Split {
  readonly hash: KeyHash;
  readonly readId: IdReader;
  /** The ends of the slots in ascending order, and the verdict of each slot. */
  readonly ends: readonly number[];
  readonly verdicts: readonly Verdict[];
}

/** Why a rule does not decide. */
export type Pass = "condition" | "percentage" | "id";

/** What all rules of a flag share. */
export interface FlagParts {
  readonly key: string;
  readonly isBoolean: boolean;
  readonly verdicts: Verdicts;
  readonly regexes: RegexPool;
}

/** The place of a rule among the rules of its flag. */
export interface Place {
  /** The id of an ordered rule; undefined for the strategy's own fields. */
  readonly id: string | undefined;
  /**
   * Whether everybody reaches the rule: no ordered rule precedes it, and the flag has no
   * prerequisites.
   */
  readonly isFirst: boolean;
}

const isOptionalText = (value: unknown): value is string | undefined =>
  value === undefined || typeof value === "string";

/** Whether the fields that every rule has are well formed. */
export function isActivation(rule: unknown): rule is Activation {
  if (!isRecord(rule)) return false;
  const { rollOut, constraints, segments, stickiness } = rule;
  return (
    Number.isFinite(rollOut) &&
    Array.isArray(constraints) &&
    Array.isArray(segments) &&
    isOptionalText(stickiness)
  );
}

/** A segment without constraints. It never holds, because it must not contain everybody. */
const EMPTY_SEGMENT: Condition = () => false;

function compileSegment(segment: unknown, regexes: RegexPool): Condition[] {
  const constraints = isRecord(segment) ? segment["constraints"] : undefined;
  if (!Array.isArray(constraints)) return [NEVER];
  return constraints.length > 0
    ? Array.from(constraints, (constraint) => compileConstraint(constraint, regexes))
    : [EMPTY_SEGMENT];
}

/**
 * Returns the first position that the roll-out does not include. `rollOut` counts whole per cents
 * only; `exactRollOut` has up to three decimals.
 */
const thresholdOf = ({ rollOut, exactRollOut }: Activation): number =>
  exactRollOut === undefined
    ? Math.floor(rollOut) * (POSITIONS / ROLL_OUT_BUCKETS)
    : Math.round(exactRollOut * (POSITIONS / 100));

/** The slots of a rule. A rule that serves one variant to everybody has one slot. */
function variantsOf(rule: Activation, isBoolean: boolean) {
  const { serve, slots } = rule;
  if (slots !== undefined) return serve === undefined && areSlots(slots) ? toSlots(slots) : [];
  const variant = serve ?? (isBoolean ? "on" : undefined);
  return typeof variant === "string" ? [[0, POSITIONS, variant] as const] : [];
}

function reasonOf(
  step: Pick<CompiledActivation, "conditions" | "percentage">,
  isFirst: boolean,
): OnReason {
  if (step.percentage < 100) return "SPLIT";
  return step.conditions.length > 0 || !isFirst ? "TARGETING_MATCH" : "STATIC";
}

/**
 * Compiles one rule of a flag. The rule must have passed `isActivation`; the other fields may be
 * malformed.
 */
export function compileActivation(
  rule: Activation,
  place: Place,
  flag: FlagParts,
): CompiledActivation {
  const { constraints, segments, stickiness, exactRollOut, hashKey } = rule;
  const { splitKey = flag.key, splitStickiness = stickiness } = rule;
  const all = [
    ...Array.from(constraints, (constraint) => compileConstraint(constraint, flag.regexes)),
    ...Array.from(segments, (segment) => compileSegment(segment, flag.regexes)).flat(),
  ];
  // Keeps the malformed conditions of the last rule, which then never holds. Removes them from an
  // ordered rule: if its other conditions hold, the rule is malformed and must not lead to the next
  // rule.
  const conditions = place.id === undefined ? all : all.filter((one) => one !== NEVER);
  const threshold = thresholdOf(rule);
  const percentage =
    exactRollOut === undefined ? rule.rollOut : threshold / (POSITIONS / ROLL_OUT_BUCKETS);
  const slots = variantsOf(rule, flag.isBoolean);
  const isSplit = slots.length > 1;
  const reason = isSplit ? "SPLIT" : reasonOf({ conditions: all, percentage }, place.isFirst);
  const verdicts = slots
    .map(([, , variant]) => flag.verdicts.serve(variant, reason, place.id))
    .filter((verdict) => verdict !== undefined);
  const isReadable =
    conditions.length === all.length &&
    (exactRollOut === undefined || Number.isFinite(exactRollOut)) &&
    [hashKey, splitKey, splitStickiness].every(isOptionalText) &&
    verdicts.length > 0 &&
    verdicts.length === slots.length;
  const ends = slots.map(([, end]) => end);
  const readId = idReader(stickiness);
  return {
    isReadable,
    conditions,
    percentage,
    threshold,
    rollOutHash: rollOutHash(hashKey ?? flag.key),
    readId,
    served: verdicts[0] ?? flag.verdicts.off.DISABLED,
    split:
      isSplit && isReadable
        ? {
            hash: splitHash(splitKey),
            readId: splitStickiness === stickiness ? readId : idReader(splitStickiness),
            ends,
            verdicts,
          }
        : undefined,
  };
}

/** An ordered rule that cannot be read at all. Evaluation ends when it reaches the rule. */
export const unreadableActivation = (verdicts: Verdicts): CompiledActivation => ({
  isReadable: false,
  conditions: [],
  percentage: 0,
  threshold: 0,
  rollOutHash: rollOutHash(""),
  readId: () => undefined,
  served: verdicts.off.DISABLED,
  split: undefined,
});

const BUCKET_WIDTH = POSITIONS / ROLL_OUT_BUCKETS;

/** Whether a partial roll-out includes the id. */
export function includes(
  { threshold, rollOutHash: hash }: CompiledActivation,
  id: string,
): boolean {
  const hashed = hash.of(id);
  const start = (hashed % ROLL_OUT_BUCKETS) * BUCKET_WIDTH;
  // Decides by the bucket, except in the one bucket that a percentage with decimals divides.
  if (start >= threshold) return false;
  return start + BUCKET_WIDTH <= threshold || rollOutPosition(hashed) < threshold;
}

/** Returns the verdict of a well-formed rule, or why the rule does not decide. */
export function verdictOf(step: CompiledActivation, context: EvaluationContext): Verdict | Pass {
  if (step.percentage <= 0) return "percentage";
  if (step.percentage < 100) {
    const id = step.readId(context);
    if (id === undefined) return "id";
    if (!includes(step, id)) return "percentage";
  }
  if (step.split === undefined) return step.served;
  const id = step.split.readId(context);
  return id === undefined ? "id" : slotVerdict(step.split, id);
}

function slotVerdict({ hash, ends, verdicts }: Split, id: string): Verdict | Pass {
  const at = splitPosition(hash.of(id));
  let index = 0;
  while ((ends[index] ?? POSITIONS) <= at) index++;
  return verdicts[index] ?? "percentage";
}

/** Whether all conditions of a rule hold. */
export function allHold({ conditions }: CompiledActivation, context: EvaluationContext): boolean {
  for (const holds of conditions) if (!holds(context)) return false;
  return true;
}
