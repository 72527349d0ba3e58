import type { FieldError } from "../errors/api-error.ts";

/** A condition on the verdict of another flag of the project, in the same environment. */
export interface FlagPrerequisite {
  readonly flagKey: string;
  /** What `enabled` of the other flag's verdict must be. */
  readonly enabled: boolean;
  /** The variants, one of which the other flag must serve. Absent: any. */
  readonly variants?: readonly string[] | undefined;
}

/** Which flags of a project require which: the keys of the required flags, by the key of a flag. */
export type Requirements = ReadonlyMap<string, readonly string[]>;

/**
 * Returns the cycle that a flag closes if it requires another flag: the keys from the flag back to
 * itself. Undefined if the required flag does not require the flag, directly or through others.
 */
export function cycleOf(
  requirements: Requirements,
  flagKey: string,
  requiredKey: string,
): readonly string[] | undefined {
  // The flags that are reached, each with the flag that requires it. The loop also visits the flags
  // that it adds.
  const requiredBy = new Map([[requiredKey, flagKey]]);
  for (const [key] of requiredBy) {
    if (key === flagKey) return wayBack(requiredBy, flagKey);
    for (const next of requirements.get(key) ?? [])
      if (!requiredBy.has(next)) requiredBy.set(next, key);
  }
  return undefined;
}

/** Returns the keys from a flag to itself, from the flag that requires each. */
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
