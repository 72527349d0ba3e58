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

/** Whether no flag requires itself, directly or through further flags. */
export function isAcyclic(requirements: Requirements): boolean {
  // Removes the flags that no other flag requires, one after the other. A cycle remains.
  const requirers = new Map<string, number>();
  for (const keys of requirements.values())
    for (const key of keys) requirers.set(key, (requirers.get(key) ?? 0) + 1);
  const free = [...requirements.keys()].filter((key) => !requirers.has(key));
  let left = requirements.size;
  for (let key = free.pop(); key !== undefined; key = free.pop()) {
    left -= 1;
    for (const required of requirements.get(key) ?? []) {
      const count = (requirers.get(required) ?? 0) - 1;
      requirers.set(required, count);
      if (count === 0 && requirements.has(required)) free.push(required);
    }
  }
  return left === 0;
}

/**
 * Returns the cycle that a new prerequisite would close: the keys from `flagKey` through the
 * required flags back to `flagKey`. Undefined if the required flag does not require `flagKey`,
 * directly or through further flags.
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
    for (const next of requirements.get(key) ?? [])
      if (!requiredBy.has(next)) requiredBy.set(next, key);
  }
  return undefined;
}

/**
 * Returns the keys of a cycle: from the flag through the flags in `requiredBy` back to the flag.
 */
function wayBack(requiredBy: ReadonlyMap<string, string>, flagKey: string): readonly string[] {
  const way = [flagKey];
  let key = requiredBy.get(flagKey);
  for (; key !== undefined && key !== flagKey; key = requiredBy.get(key)) way.unshift(key);
  return [flagKey, ...way];
}

/** Returns an error for each prerequisite with which the flag `key` would close a cycle. */
export const cycleErrors = (
  key: string,
  prerequisites: readonly FlagPrerequisite[],
  requirements: Requirements,
): FieldError[] =>
  prerequisites.flatMap(({ flagKey }, n) => {
    const cycle = cycleOf(requirements, key, flagKey);
    if (!cycle) return [];
    const message = `requires this flag, directly or through other flags: ${cycle.join(" → ")}`;
    return [{ field: `prerequisites.${n}.flagKey`, message }];
  });
