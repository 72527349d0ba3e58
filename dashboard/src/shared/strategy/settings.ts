import type { Rule, Serve, Strategy } from "../api/types.ts";

/**
 * The properties of an ordered rule that decide which users get which variant. `exactPercentage`
 * contains the whole `percentage`.
 */
export type RuleSettings = Readonly<Omit<Rule, "id" | "percentage" | "serve">> & {
  readonly serve: Serve;
};

/** The properties of a strategy that decide which users get which variant. */
export interface StrategySettings extends Omit<
  Strategy,
  | "flagId"
  | "environmentId"
  | "environmentName"
  | "version"
  | "updatedAt"
  | "percentage"
  | "serve"
  | "rules"
> {
  serve: Serve;
  rules: readonly RuleSettings[];
}

/**
 * The properties of a strategy that the strategy form edits. `enabled` is not among them, because
 * the switch beside the form saves `enabled` immediately.
 */
export type StrategyContent = Omit<StrategySettings, "enabled">;

/** What a strategy and each of its rules have: whom they apply to, and what they serve. */
export type Activation = Omit<StrategySettings & RuleSettings, "enabled" | "rules" | "name">;

/** The fields of an activation that are texts or null, each with the words for null. */
export const TEXTS = {
  stickiness: "flag.stickinessDefault",
  hashKey: "rules.flagKey",
  splitKey: "rules.flagKey",
  splitStickiness: "rules.asRollOut",
} as const satisfies {
  readonly [F in keyof Activation as null extends Activation[F] ? F : never]: string;
};
export type TextField = keyof typeof TEXTS;
export const TEXT_FIELDS = Object.keys(TEXTS) as readonly TextField[];

/** Returns a value for each field that is a text. */
export const forTexts = <T>(valueOf: (field: TextField) => T) =>
  Object.fromEntries(TEXT_FIELDS.map((field) => [field, valueOf(field)])) as Record<TextField, T>;
