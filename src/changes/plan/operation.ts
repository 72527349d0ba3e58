import type { RampStep, StopAction } from "../../core/ramps/ramp.ts";
import type { RuleInput, StrategyChange } from "../../core/strategies/change.ts";
import type { StrategyContent } from "../../core/strategies/strategy.ts";
import type { FlagChange, NewFlag } from "../../model/flags/content.ts";
import type { TagInput } from "../../model/flags/attached-tags.ts";
import type { ChangeOf } from "../../core/lib/input.ts";
import type { ValueContent } from "../../model/contexts/value-queries.ts";
import type { ContextContent, SegmentContent, TagContent } from "./content.ts";

/**
 * A flag, by its id or by its key. The key can be that of a flag that an earlier operation of the
 * same list creates.
 */
export type FlagRef = { readonly flagId: number } | { readonly flagKey: string };

/** A context, by its id, or by its key if an earlier operation of the same list creates it. */
type ContextRef = { readonly id: number } | { readonly contextKey: string };

/** A segment, by its id or by its name, which can be that of a segment of the same list. */
export type SegmentRef = number | string;

/** The fields of a strategy or rule as requests have them, and change requests store them. */
type Requested<Change> = Omit<Change, "segmentIds" | "rules"> & {
  /** The percentage with decimals, which replaces `percentage`. */
  readonly exactPercentage?: number | undefined;
  readonly segmentIds?: readonly SegmentRef[] | undefined;
};

/** A change of a strategy. Segments can be named. */
export type StrategyInput = Requested<StrategyChange> & {
  readonly rules?: readonly Requested<RuleInput>[] | undefined;
};

interface InProject {
  readonly projectId: number;
}

interface ById {
  readonly id: number;
}

export interface StrategyTarget {
  readonly flag: FlagRef;
  readonly environmentId: number;
}

interface Of<Kind extends string, Target, Input = undefined> {
  readonly kind: Kind;
  readonly target: Target;
  readonly input: Input;
  /** The versions that the target may have. Undefined: every version. */
  readonly ifMatch?: readonly number[] | undefined;
  /** The id of the audit record that the operation reverts. */
  readonly revertsId?: number | undefined;
}

/** A write of one resource, as plain data. `plan` says what it does. */
export type Operation =
  | Of<"flag.create", InProject, NewFlag>
  /** Creates a flag with the content, tags, owners, prerequisites and strategies of the target. */
  | Of<"flag.clone", FlagRef, CloneInput>
  | Of<"flag.update", FlagRef, FlagChange>
  | Of<"flag.archive", FlagRef>
  | Of<"flag.unarchive", FlagRef>
  | Of<"flag.delete", FlagRef>
  | Of<"flag.tag", FlagRef, TagInput>
  | Of<"flag.untag", FlagRef, TagInput>
  /** Changes some fields of a strategy. */
  | Of<"strategy.set", StrategyTarget, StrategyInput>
  /** Changes only whether the flag is on. */
  | Of<"strategy.switch", StrategyTarget, boolean>
  /** Takes the rules of the strategy in another environment. */
  | Of<"strategy.copy", StrategyTarget, CopyInput>
  /** Takes a whole content, with the ids of its rules and with its slots. */
  | Of<"strategy.replace", StrategyTarget, StrategyContent>
  /** Raises the percentage of a strategy or a rule in steps. Executes the first step. */
  | Of<"ramp.start", StrategyTarget, RampInput>
  | Of<"segment.create", InProject, NewSegment>
  | Of<"segment.update", ById, ChangeOf<SegmentContent>>
  | Of<"segment.delete", ById>
  | Of<"tag.create", InProject, TagContent>
  | Of<"tag.update", ById, ChangeOf<TagContent>>
  | Of<"tag.delete", ById>
  | Of<"context.create", InProject, ContextContent>
  | Of<"context.update", ById, ChangeOf<ContextContent>>
  | Of<"context.delete", ById>
  /** Replaces the values of a context, which an earlier operation can create. */
  | Of<"context.replace-values", ContextRef, readonly ValueContent[]>;

export type OperationOf<Kind extends Operation["kind"]> = Extract<
  Operation,
  { readonly kind: Kind }
>;

type NewSegment = Omit<SegmentContent, "description"> &
  ChangeOf<Pick<SegmentContent, "description">>;

/** The operations of a resource, such as `flag`. */
export type OperationOn<Resource extends string> = Extract<
  Operation,
  { readonly kind: `${Resource}.${string}` }
>;

export interface CloneInput {
  readonly key: string;
  readonly name: string;
  /**
   * Whether the clone is on in the environments in which the source flag is on. Otherwise the clone
   * is off in every environment.
   */
  readonly keepState: boolean;
}

export interface RampInput {
  /** The ordered rule whose percentage is raised. Undefined: that of the strategy itself. */
  readonly ruleId?: string | undefined;
  readonly steps: readonly RampStep[];
  /** How often the flag must be evaluated during a hold. Undefined: no matter how often. */
  readonly minEvaluations?: number | undefined;
  /** What the stop URL does, and the SHA-256 of its token. Undefined: the ramp has no stop URL. */
  readonly stop?: { readonly action: StopAction; readonly hash: string } | undefined;
  readonly changeRequestId?: number | undefined;
}

interface CopyInput {
  readonly fromEnvironmentId: number;
  /** The versions that the source may have. Undefined: every version. */
  readonly ifMatchSource?: readonly number[] | undefined;
  /** Whether to copy the state (on or off), too. */
  readonly withState: boolean;
}
/** The most operations of one request. */

export const MAX_OPERATIONS = 200;
