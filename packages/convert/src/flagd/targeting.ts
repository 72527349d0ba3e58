import type { FileActivation, FileRule } from "@feature-flags/file/file";
import { alternativesOf, type Condition } from "../condition.ts";
import { type Changes, Refusal } from "../report.ts";
import { rulesFor } from "../rules.ts";
import { conditionOf, fieldOf, isStrict } from "./conditions.ts";
import { operationOf, unsupported } from "./logic.ts";

/** What targeting is converted with. */
export interface TargetingPlace {
  /** Returns the key of a variant here. Throws: Refusal for a variant that the flag does not have. */
  readonly keyOf: (variant: string) => string;
  /** The default variant; undefined: the default in the code. */
  readonly defaultVariant: string | undefined;
  readonly changes: Changes;
}

/** An outcome of targeting for the contexts for which the condition holds. */
interface Branch {
  readonly condition: Condition;
  /** Undefined: the default in the code. */
  readonly served: FileActivation | undefined;
}

/** What the users get for whom no rule decides. */
const NOTHING: FileActivation = { percentage: 0 };

/**
 * Returns the rules for an expression of JsonLogic, and the own fields of the strategy. The first rule
 * that holds decides. Throws: Refusal.
 */
export function targetingOf(
  expression: unknown,
  place: TargetingPlace,
): { readonly rules: readonly FileRule[]; readonly own: FileActivation } {
  const branches = branchesOf(expression, true, place);
  const rules: FileRule[] = [];
  for (const [n, { condition, served }] of branches.entries()) {
    const alternatives = alternativesOf(condition);
    const isEverybody = alternatives.some(
      ({ constraints, segments }) => constraints.length === 0 && segments.length === 0,
    );
    if (isEverybody || n === branches.length - 1) return { rules, own: served ?? NOTHING };
    // A rule can only serve a variant.
    if (!served && alternatives.length > 0) throw unsupported("null");
    if (served) rules.push(...rulesFor(alternatives, served));
  }
  return { rules, own: NOTHING };
}

/** Returns the outcomes in the order in which they are tried. The last one is for everybody else. */
function branchesOf(
  expression: unknown,
  condition: Condition,
  place: TargetingPlace,
): readonly Branch[] {
  const operation = operationOf(expression);
  const { changes } = place;
  if (!operation) return [{ condition, served: servedBy(expression, place) }];
  const { operator, args } = operation;
  if (operator === "if" || operator === "?:") {
    const [test, then, ...rest] = args;
    const otherwise = rest.length > 1 ? { if: rest } : (rest[0] ?? null);
    const both: Condition = { all: [condition, conditionOf(test, changes)] };
    return [...branchesOf(then, both, place), ...branchesOf(otherwise, condition, place)];
  }
  if (operator === "fractional") return [{ condition, served: splitOf(args, place) }];
  if (!isStrict(expression)) throw unsupported(operator);
  const isTrue: Condition = { all: [condition, conditionOf(expression, changes)] };
  return [
    { condition: isTrue, served: servedBy(true, place) },
    { condition, served: servedBy(false, place) },
  ];
}

/** Returns what a plain value serves: the variant of this name; null means the default variant. */
function servedBy(value: unknown, { keyOf, defaultVariant }: TargetingPlace) {
  if (value === null) {
    if (defaultVariant === undefined) return undefined;
    return { serve: { variant: keyOf(defaultVariant) } };
  }
  if (typeof value !== "string" && typeof value !== "boolean")
    throw unsupported(JSON.stringify(value));
  return { serve: { variant: keyOf(String(value)) } };
}

/** The number of positions of a split, and of positions in a per cent. */
const POSITIONS = 100_000;
const PER_CENT = 1000;

/** Returns the split of `fractional`: an optional value that is hashed, and pairs of variant and weight. */
function splitOf(args: readonly unknown[], place: TargetingPlace): FileActivation | undefined {
  const { changes } = place;
  const [first, ...rest] = args;
  const isNamed = !Array.isArray(first);
  const stickiness = isNamed ? hashedField(first, changes) : undefined;
  const sizes = new Map<string, number>();
  for (const pair of isNamed ? rest : args) {
    const [variant = null, weight = 1] = Array.isArray(pair) ? (pair as unknown[]) : [{}];
    if (typeof weight !== "number" || !Number.isInteger(weight)) throw unsupported("fractional");
    const served = servedBy(variant, place);
    if (!served) throw unsupported("fractional");
    const key = served.serve.variant;
    if (weight > 0) sizes.set(key, (sizes.get(key) ?? 0) + weight);
  }
  const [only, ...others] = sizes.keys();
  if (only === undefined) return servedBy(null, place);
  if (others.length === 0) return { serve: { variant: only } };
  changes.add("usersMove");
  return {
    serve: { weights: perCents(sizes) },
    ...(stickiness !== undefined && stickiness !== "targetingKey" && { stickiness }),
  };
}

/** Returns per cents with three decimals that add up to 100. */
function perCents(sizes: ReadonlyMap<string, number>): Readonly<Record<string, number>> {
  const total = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  let end = 0;
  let before = 0;
  const weights = Array.from(sizes, ([key, size]) => {
    end += size;
    const border = Math.round((end / total) * POSITIONS);
    const share = (border - before) / PER_CENT;
    before = border;
    return [key, share] as const;
  });
  return Object.fromEntries(weights.filter(([, share]) => share > 0));
}

/** The value may contain the key of the flag, which a split here always hashes. */
function hashedField(expression: unknown, changes: Changes): string {
  const field = fieldOf(expression, changes);
  if (field !== undefined) return field;
  const operation = operationOf(expression);
  const parts =
    operation?.operator === "cat" ? operation.args.filter((one) => !isFlagKey(one)) : [];
  const [only, ...others] = parts;
  const own = others.length === 0 ? fieldOf(only, changes) : undefined;
  if (own === undefined) throw unsupported("fractional");
  return own;
}

function isFlagKey(expression: unknown): boolean {
  const operation = operationOf(expression);
  return operation?.operator === "var" && operation.args[0] === "$flagd.flagKey";
}

/** Throws: Refusal for a variant that a flag does not have. */
export function assertKnown(variant: string, keys: ReadonlyMap<string, string>): string {
  const key = keys.get(variant);
  if (key === undefined) throw new Refusal("unknownVariant", { variant });
  return key;
}
