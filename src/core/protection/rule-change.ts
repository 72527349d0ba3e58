/** The rules of a flag that a change alters. */
export interface ChangedRule {
  readonly flagKey: string;
  readonly flagName: string;
  /** The environment of the rule. Null: all environments of the project. */
  readonly environmentId: number | null;
  readonly effect: RuleEffect;
}

/** What a change does to the rules of a project. */
export interface RuleChange {
  readonly projectId: number;
  readonly rules: readonly ChangedRule[];
  /** The segments whose constraints the change alters. */
  readonly segmentIds: readonly number[];
}

/**
 * What a change of a rule does to verdicts. `turn-off`: it only turns the flag off, which counts as
 * `any` while another flag requires this flag to be off. `where-on`: `any` in the environments in
 * which the flag is on before the change, else `none`.
 */
export type RuleEffect =
  | "none"
  | "any"
  | { readonly kind: "turn-off" | "where-on"; readonly flagId: number };
