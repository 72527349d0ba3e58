import type { FileConstraint, FileFlag, FileSegment } from "@feature-flags/file/file";
import { isSame } from "@feature-flags/file/json";
import type { Changes } from "../report.ts";
import { conditionOf } from "./constraints.ts";
import type { UnleashConstraint, UnleashDocument, UnleashSegment } from "./document.ts";

/** The conditions of a strategy. Undefined: they never hold. */
export interface Conditions {
  readonly constraints: readonly FileConstraint[];
  /** The names of segments of the file. */
  readonly segments: readonly string[];
}

/** Returns the constraints of a list; undefined if one of them never holds. */
function constraintsOf(
  list: readonly UnleashConstraint[],
  changes: Changes,
): readonly FileConstraint[] | undefined {
  const conditions = list.map((one) => conditionOf(one, changes));
  if (conditions.includes(false)) return undefined;
  return conditions.filter((one) => typeof one !== "boolean");
}

/** The segments of the file, which the flags of all environments share. */
export class Segments {
  readonly #known = new Map<string, FileSegment>();

  /** Returns the segments that these flags use, by name. */
  usedBy(flags: readonly FileFlag[]): Readonly<Record<string, FileSegment>> {
    const strategies = flags.flatMap(({ environments = {} }) => Object.values(environments));
    const rules = strategies.flatMap((strategy) => strategy.rules ?? []);
    const names = new Set([...strategies, ...rules].flatMap((rule) => rule.segments ?? []));
    return Object.fromEntries([...this.#known].filter(([name]) => names.has(name)));
  }

  /**
   * Returns the conditions of a strategy; undefined if they never hold. A segment without constraints
   * holds in Unleash and never holds here, so it is left out. A segment with the name of another one
   * in another environment becomes constraints of the strategy.
   */
  conditionsOf(
    strategy: {
      readonly constraints?: readonly UnleashConstraint[] | undefined;
      readonly segments?: readonly number[] | undefined;
    },
    { segments = [] }: UnleashDocument,
    changes: Changes,
  ): Conditions | undefined {
    const own = constraintsOf(strategy.constraints ?? [], changes);
    if (!own) return undefined;
    const constraints = [...own];
    const names: string[] = [];
    for (const id of strategy.segments ?? []) {
      const segment = segments.find((one) => one.id === id);
      const within = segment && constraintsOf(segment.constraints ?? [], changes);
      if (!segment || !within) return undefined;
      if (within.length === 0) continue;
      const name = this.#use(segment, within);
      if (name === undefined) constraints.push(...within);
      else names.push(name);
    }
    return { constraints, segments: names };
  }

  /** Returns the name of a segment in the file; undefined if another one has this name. */
  #use(
    { id, name = `segment-${id}` }: UnleashSegment,
    constraints: readonly FileConstraint[],
  ): string | undefined {
    const known = this.#known.get(name);
    if (known) return isSame(known.constraints, constraints) ? name : undefined;
    this.#known.set(name, { constraints });
    return name;
  }
}
