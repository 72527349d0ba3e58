import { itemWith } from "../schema.ts";
import { alternativesOf, assertConstraints, type Condition } from "../condition.ts";
import { type Changes, Refusal } from "../report.ts";
import type { Segments } from "../segments.ts";
import { conditionOf, keyIn } from "./clauses.ts";
import { type LdClause, type LdSegment, type LdSegmentRule, SEGMENT } from "./document.ts";

/** The weight of a roll-out to everybody, in thousandths of a per cent. */
const ALL = 100_000;

const SEGMENTS = { name: "key", schema: SEGMENT, place: "/segments" };

/** The segments of LaunchDarkly in one environment. */
export interface SegmentPlace {
  /** What `SEGMENT` reads, in the environment; undefined if the document is missing. */
  readonly known: readonly unknown[] | undefined;
  readonly segments: Segments;
  readonly changes: Changes;
}

/**
 * Returns what a clause means. `visited`: the keys of the segments to which the clause belongs. Throws:
 * Refusal.
 */
export function clauseCondition(
  clause: LdClause,
  place: SegmentPlace,
  visited: readonly string[] = [],
): Condition {
  if (clause.op !== "segmentMatch") return conditionOf(clause, place.changes);
  const any = clause.values.map((key) => {
    if (typeof key !== "string") throw new Refusal("malformed");
    return segmentCondition(key, place, visited);
  });
  return clause.negate === true ? { not: { any } } : { any };
}

/**
 * Returns the condition that a context belongs to a segment. A segment of the file is a list of
 * constraints, so each alternative of a segment of LaunchDarkly becomes one.
 */
function segmentCondition(key: string, place: SegmentPlace, visited: readonly string[]): Condition {
  if (!place.known) throw new Refusal("noSegments", { segment: key });
  const segment = itemWith(key, place.known, SEGMENTS);
  // A clause with a missing segment does not hold in LaunchDarkly.
  if (!segment || segment.deleted === true) return false;
  if (segment.unbounded === true) throw new Refusal("bigSegment", { segment: key });
  if (visited.includes(key)) throw new Refusal("segmentCycle", { segment: key });
  const condition = membersOf(segment, place, [...visited, key]);
  // Segments of the file cannot refer to segments.
  if (visited.length > 0) return condition;
  const alternatives = alternativesOf(condition);
  return {
    any: alternatives.map(({ constraints }, n): Condition => {
      if (constraints.length === 0) return true;
      assertConstraints(constraints);
      const name = alternatives.length === 1 ? key : `${key} ${n + 1}`;
      const used = place.segments.use(name, constraints);
      return used === undefined
        ? { all: constraints.map((constraint) => ({ constraint })) }
        : { segment: used, constraints };
    }),
  };
}

/** A context that is included is a member even if it is excluded, too. */
function membersOf(segment: LdSegment, place: SegmentPlace, visited: readonly string[]): Condition {
  const { included = [], excluded = [], includedContexts = [], excludedContexts = [] } = segment;
  const listed = (keys: readonly string[], lists: typeof includedContexts): Condition => ({
    any: [{ values: keys, contextKind: undefined }, ...lists].map(({ values, contextKind }) =>
      keyIn(values, contextKind, place.changes),
    ),
  });
  const rules = (segment.rules ?? []).map((rule) => ruleCondition(rule, segment.key));
  function ruleCondition({ clauses, weight }: LdSegmentRule, key: string): Condition {
    if (typeof weight === "number" && weight < ALL) {
      if (weight <= 0) return false;
      throw new Refusal("segmentRollOut", { segment: key });
    }
    return { all: clauses.map((clause) => clauseCondition(clause, place, visited)) };
  }
  return {
    any: [
      listed(included, includedContexts),
      { all: [{ not: listed(excluded, excludedContexts) }, { any: rules }] },
    ],
  };
}
