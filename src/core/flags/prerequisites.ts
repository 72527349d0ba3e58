import type { Pausing } from "@feature-flags/evaluation/pausing";
import type { FieldError } from "../errors/api-error.ts";

/**
 * A prerequisite: the flag is on only if the verdict of a required flag, of the same project and in
 * the same environment, meets this condition.
 */
export interface FlagPrerequisite {
  readonly flagKey: string;
  /** The value that `enabled` must have in the verdict of the required flag. */
  readonly enabled: boolean;
  /** The variants of which the required flag must serve one. Absent: any variant is accepted. */
  readonly variants?: readonly string[] | undefined;
}

/** The keys of the flags that each flag of a project requires, by the key of the requiring flag. */
export type Requirements = ReadonlyMap<string, readonly string[]>;

/**
 * The flags that require themselves, directly or through other flags. Two flags that require each
 * other have the same number.
 */
export type Cycles = ReadonlyMap<string, number>;

/** A flag whose required flags are being visited. */
interface Visit {
  readonly key: string;
  readonly number: number;
  readonly required: readonly string[];
  /** How many of the required flags were visited. */
  visited: number;
  /** The lowest number of an open flag that this flag requires, directly or through other flags. */
  lowest: number;
}

/**
 * Finds all cycles in one pass, in a step for each flag: Tarjan's strongly connected components. Keeps
 * the visits in a list instead of calling itself, because a chain of 5,000 flags would overflow the stack.
 */
export function* cyclesOf(requirements: Requirements): Pausing<Cycles> {
  const cycles = new Map<string, number>();
  const numbers = new Map<string, number>();
  const visits: Visit[] = [];
  // The visited flags whose cycle is not complete yet, in the order of their numbers.
  const open: string[] = [];
  const closed = new Set<string>();
  const enter = (key: string) => {
    const number = numbers.size;
    numbers.set(key, number);
    open.push(key);
    const required = requirements.get(key) ?? [];
    visits.push({ key, number, required, visited: 0, lowest: number });
  };
  /** Closes the flags from `first` on, which require each other. */
  const close = ({ key: first, number, required }: Visit) => {
    const isCycle = open.at(-1) !== first || required.includes(first);
    for (let key = open.pop(); key !== undefined; key = open.pop()) {
      closed.add(key);
      if (isCycle) cycles.set(key, number);
      if (key === first) return;
    }
  };
  for (const start of requirements.keys()) {
    if (numbers.has(start)) continue;
    enter(start);
    for (let visit = visits.at(-1); visit; visit = visits.at(-1)) {
      const key = visit.required[visit.visited];
      visit.visited += 1;
      if (key === undefined) {
        yield;
        visits.pop();
        const above = visits.at(-1);
        if (above) above.lowest = Math.min(above.lowest, visit.lowest);
        if (visit.lowest === visit.number) close(visit);
      } else if (!numbers.has(key)) enter(key);
      else if (!closed.has(key)) visit.lowest = Math.min(visit.lowest, numbers.get(key) ?? 0);
    }
  }
  return cycles;
}

/** How many flags a search for the shortest cycle visits. An error then names no cycle. */
const MAX_SEARCHED = 500;

/** The most flags of a cycle that an error names. */
const MAX_NAMED = 10;

/**
 * Returns the shortest cycle that a prerequisite closes: the keys from `flagKey` through the required
 * flags back to `flagKey`. Undefined if the required flag does not require `flagKey`, directly or
 * through other flags, or if that was not found within `MAX_SEARCHED` flags.
 */
export function cycleOf(
  requirements: Requirements,
  flagKey: string,
  requiredKey: string,
): readonly string[] | undefined {
  // The flags found so far, each with the flag that requires it. The loop below adds flags to this
  // map while it visits them.
  const requiredBy = new Map([[requiredKey, flagKey]]);
  for (const [key] of requiredBy) {
    if (key === flagKey) return wayBack(requiredBy, flagKey);
    if (requiredBy.size > MAX_SEARCHED) return undefined;
    for (const next of requirements.get(key) ?? [])
      if (!requiredBy.has(next)) requiredBy.set(next, key);
  }
  return undefined;
}

/** Returns the keys of a cycle: from the flag through the flags in `requiredBy` back to the flag. */
function wayBack(requiredBy: ReadonlyMap<string, string>, flagKey: string): readonly string[] {
  const way = [flagKey];
  let key = requiredBy.get(flagKey);
  for (; key !== undefined && key !== flagKey; key = requiredBy.get(key)) way.push(key);
  return [flagKey, ...way.toReversed()];
}

/** What a prerequisite refers to. */
interface RequiredFlag {
  readonly archived: boolean;
  readonly variants: readonly { readonly key: string }[];
}

/**
 * Returns the errors of the prerequisite with the index `n` that follow from the required flag, which is
 * undefined if it does not exist.
 */
export function requiredErrors(
  { variants = [] }: FlagPrerequisite,
  n: number,
  required: RequiredFlag | undefined,
): FieldError[] {
  const errors: FieldError[] = [];
  const add = (field: string, message: string) =>
    errors.push({ field: `prerequisites.${n}.${field}`, message });
  if (!required) add("flagKey", "is not a flag of the project");
  if (required?.archived) add("flagKey", "is an archived flag");
  if (!required || variants.length === 0) return errors;
  const known = new Set(required.variants.map(({ key }) => key));
  const unknown = variants.filter((key) => !known.has(key));
  if (unknown.length > 0)
    add("variants", `must be variants of the flag; these are not: ${unknown.join(", ")}`);
  return errors;
}

interface Graph {
  readonly requirements: Requirements;
  readonly cycles: Cycles;
  /** Whether the errors name the flags of the cycle. The search takes time. */
  readonly isNamed: boolean;
}

/** Returns an error for each prerequisite with which the flag `key` closes a cycle. */
export function cycleErrors(
  key: string,
  prerequisites: readonly FlagPrerequisite[],
  { requirements, cycles, isNamed }: Graph,
): FieldError[] {
  const cycle = cycles.get(key);
  if (cycle === undefined) return [];
  return prerequisites.flatMap(({ flagKey }, n) => {
    if (cycles.get(flagKey) !== cycle) return [];
    const way = isNamed ? cycleOf(requirements, key, flagKey) : undefined;
    const message = `requires this flag, directly or through other flags${way ? `: ${textOf(way)}` : ""}`;
    return [{ field: `prerequisites.${n}.flagKey`, message }];
  });
}

/** Returns a cycle as a text, without the flags in its middle if it is long. */
function textOf(cycle: readonly string[]): string {
  const more = cycle.length - MAX_NAMED;
  const named =
    more > 0 ? [...cycle.slice(0, MAX_NAMED - 1), `${more} more`, ...cycle.slice(-1)] : cycle;
  return named.join(" → ");
}
