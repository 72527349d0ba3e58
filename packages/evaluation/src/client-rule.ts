import type { ClientRule, Constraint } from "./rule.ts";

/** A flag and its strategy in the environment. */
export interface FlagRule {
  readonly key: string;
  readonly name: string;
  readonly archived: boolean;
  readonly enabled: boolean;
  readonly percentage: number;
  readonly constraints: readonly Constraint[];
  readonly segmentIds: readonly number[];
  readonly stickiness: string | null;
}

/** Segments by id. */
type Segments = ReadonlyMap<number, { name: string; constraints: readonly Constraint[] }>;

/** The rule of a flag as SDKs get it. */
export function toClientRule(flag: FlagRule, segments: Segments): ClientRule {
  return {
    key: flag.key,
    name: flag.name,
    enabled: flag.enabled,
    activation: {
      rollOut: flag.percentage,
      constraints: flag.constraints,
      // A segment that is missing stands without constraints, which is never true.
      segments: flag.segmentIds.map((id) => segments.get(id) ?? { name: "", constraints: [] }),
      ...(flag.stickiness !== null && { stickiness: flag.stickiness }),
    },
  };
}
