import type { Activation, ClientRule, Constraint } from "@feature-flags/evaluation/rule";
import { areSlots, type Slot, toSlots } from "@feature-flags/evaluation/slots";
import type { Fault } from "./fault.ts";

/** A rule of a flag, read for the mapping. */
export interface Rule {
  /** See `Note`. */
  readonly index: number;
  /** The conditions, all of which must hold. A segment contributes all of its constraints. */
  readonly conditions: readonly Constraint[];
  /** Above 0, and at most 100, with up to three decimals. */
  readonly percentage: number;
  /** The field that the roll-out hashes; undefined: the first usual one. */
  readonly stickiness: string | undefined;
  readonly hashKey: string;
  /** The slots, each with another variant than its neighbours. A rule without a split has one slot. */
  readonly slots: readonly Slot[];
  readonly splitKey: string;
  readonly splitStickiness: string | undefined;
}

/** How many positions all slots have. */
const POSITIONS = 100_000;

export const isBoolean = ({ type = "boolean" }: ClientRule): boolean => type === "boolean";

const BOOLEAN_VARIANTS = { on: true, off: false };

/** Returns the values of a flag by variant key. */
export const valuesOf = (flag: ClientRule): Readonly<Record<string, unknown>> =>
  isBoolean(flag) ? BOOLEAN_VARIANTS : (flag.variants ?? {});

/** Returns the key of the variant that a flag serves when no rule decides; null if there is none. */
export const offVariantOf = (flag: ClientRule): string | null =>
  flag.offVariant === undefined && isBoolean(flag) ? "off" : (flag.offVariant ?? null);

/** Returns the slots of a rule; undefined if they are malformed. */
function slotsOf({ serve, slots }: Activation, flag: ClientRule): readonly Slot[] | undefined {
  const found = slots ?? [[0, POSITIONS, serve ?? (isBoolean(flag) ? "on" : "")]];
  const values = valuesOf(flag);
  return areSlots(found) && found.every(([, , variant]) => Object.hasOwn(values, variant))
    ? toSlots(found)
    : undefined;
}

function percentageOf({ rollOut, exactRollOut }: Activation): number {
  const percentage =
    exactRollOut === undefined ? Math.floor(rollOut) : Math.round(exactRollOut * 1000) / 1000;
  return Math.min(100, percentage);
}

/** Reads a rule. Returns undefined if it never decides: nobody is in its roll-out, or a segment is empty. */
export function readRule(
  activation: Activation,
  index: number,
  flag: ClientRule,
): Rule | Fault | undefined {
  const { constraints, segments, stickiness, hashKey = flag.key, splitKey = flag.key } = activation;
  const slots = slotsOf(activation, flag);
  if (!slots) return { code: "malformed" };
  const percentage = percentageOf(activation);
  if (percentage <= 0 || segments.some((segment) => segment.constraints.length === 0))
    return undefined;
  return {
    index,
    conditions: [...constraints, ...segments.flatMap((segment) => segment.constraints)],
    percentage,
    stickiness,
    hashKey,
    slots,
    splitKey,
    splitStickiness: activation.splitStickiness ?? stickiness,
  };
}

/** Returns the variant that a rule serves to everybody; undefined for a split. */
export const servedBy = ({ slots }: Rule): string | undefined =>
  slots.length === 1 ? slots[0]?.[2] : undefined;

/** Whether a rule decides for everybody who reaches it. */
export const isForAll = (rule: Rule): boolean =>
  rule.conditions.length === 0 && rule.percentage === 100 && rule.slots.length === 1;
