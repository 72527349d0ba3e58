import { anything, fields, mapOf, oneOf, optional, text } from "../schema.ts";

/** A file of flagd, as its schema `flags.json` describes it. */
export interface FlagdDocument {
  /** What `FLAG` reads, by key. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Targeting that flags refer to with `$ref`, by name. */
  readonly $evaluators?: unknown;
}

export interface FlagdFlag {
  /** `ENABLED` or `DISABLED`. A flag that is disabled gives the default in the code. */
  readonly state: string;
  readonly variants?: Readonly<Record<string, unknown>> | undefined;
  /** The variant if the targeting chooses none. Undefined or null: the default in the code. */
  readonly defaultVariant?: string | null | undefined;
  /** An expression of JsonLogic that returns the key of a variant, or null. */
  readonly targeting?: unknown;
}

export const FLAG = fields<FlagdFlag>({
  state: oneOf("ENABLED", "DISABLED"),
  variants: optional(mapOf(anything)),
  defaultVariant: optional(text),
  targeting: anything,
});
