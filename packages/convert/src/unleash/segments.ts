import type { FileConstraint } from "@feature-flags/file/file";
import type { Changes } from "../report.ts";
import type { Segments } from "../segments.ts";
import { conditionOf } from "./constraints.ts";
import { itemWith } from "../schema.ts";
import { SEGMENT, type UnleashConstraint, type UnleashDocument } from "./document.ts";

const SEGMENTS = { name: "id", schema: SEGMENT, place: "/segments" };

/** The conditions of a strategy. Undefined: they never hold. */
interface Conditions {
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

/**
 * Returns the conditions of a strategy; undefined if they never hold. A segment without constraints
 * holds in Unleash and never holds here, so it is left out. A segment with the name of another one in
 * another environment becomes constraints of the strategy.
 */
export function conditionsOf(
  strategy: {
    readonly constraints?: readonly UnleashConstraint[] | undefined;
    readonly segments?: readonly number[] | undefined;
  },
  place: {
    readonly document: UnleashDocument;
    readonly segments: Segments;
    readonly changes: Changes;
  },
): Conditions | undefined {
  const { document, changes } = place;
  const own = constraintsOf(strategy.constraints ?? [], changes);
  if (!own) return undefined;
  const constraints = [...own];
  const names: string[] = [];
  for (const id of strategy.segments ?? []) {
    const segment = itemWith(id, document.segments, SEGMENTS);
    const within = segment && constraintsOf(segment.constraints, changes);
    if (!segment || !within) return undefined;
    if (within.length === 0) continue;
    const name = place.segments.use(segment.name ?? `segment-${id}`, within);
    if (name === undefined) constraints.push(...within);
    else names.push(name);
  }
  return { constraints, segments: names };
}
