import type { StoredSlot } from "@feature-flags/evaluation/slots";

/**
 * The file with the flags of a project (docs/use/flags-as-code.md). Its values are plain JSON, and
 * a YAML file has the same fields.
 *
 * A field that is left out is not managed by the file: an existing flag keeps its value, and a new
 * flag gets the default. Names and keys replace the ids of the API. Maps have no order. Lists do.
 */
export interface FlagsFile {
  /** The version of the format. */
  readonly version: 1;
  /** The name of the project. */
  readonly project: string;
  /**
   * Who manages the fields that the file names, such as the name of a repository. Default:
   * `DEFAULT_MANAGER`.
   */
  readonly manager?: string | undefined;
  /** The fields of the evaluation context that the project knows, by their context keys. */
  readonly contexts?: Named<FileContext> | undefined;
  /** The tags of the project, by their names. */
  readonly tags?: Named<FileTag> | undefined;
  /** The segments of the project, by their names. */
  readonly segments?: Named<FileSegment> | undefined;
  /** The flags of the project, by their keys. */
  readonly flags?: Named<FileFlag> | undefined;
}

export type Named<T> = Readonly<Record<string, T>>;

/** The manager of a file that names none. */
export const DEFAULT_MANAGER = "file";

export interface FileContext {
  /** Default: the context key. */
  readonly name?: string | undefined;
  /** The type of the values, such as `string`, `number` or `semver`. Default: `string`. */
  readonly contextType?: string | undefined;
  /** The values that the dashboard suggests. The order does not matter. Default: none. */
  readonly values?: readonly FileContextValue[] | undefined;
}

/** A value of a context: a text, or a text with a description. */
export type FileContextValue =
  | string
  | { readonly value: string; readonly description?: string | null | undefined };

export interface FileTag {
  /** A colour as `#rgb` or `#rrggbb`. Default: a neutral grey. */
  readonly color?: string | undefined;
  /** The name of the tag before this file renames it. */
  readonly renamedFrom?: string | undefined;
}

export interface FileSegment {
  /** Default: null. */
  readonly description?: string | null | undefined;
  /** All of them must hold. A segment without constraints never holds. Default: none. */
  readonly constraints?: readonly FileConstraint[] | undefined;
  /** The name of the segment before this file renames it. */
  readonly renamedFrom?: string | undefined;
}

/** A condition on one field of the evaluation context. */
export interface FileConstraint {
  readonly field: string;
  readonly operator: string;
  /** Texts, one of which must match. Default: none. */
  readonly values?: readonly string[] | undefined;
  /** The type that decides how values are compared. Default: `string`. */
  readonly contextType?: string | undefined;
  /** Default: false. */
  readonly caseInsensitive?: boolean | undefined;
  /** Default: false. */
  readonly inverted?: boolean | undefined;
}

export interface FileFlag {
  /** Required for a new flag. */
  readonly name?: string | undefined;
  /** Default: null. */
  readonly description?: string | null | undefined;
  /** Cannot be changed. */
  readonly flagType: "RELEASE" | "KILLSWITCH";
  /** The order does not matter. Default: none. */
  readonly tags?: readonly FileFlagTag[] | undefined;
  /** Cannot be changed. Default: `boolean`. */
  readonly valueType?: "boolean" | "string" | "number" | "json" | undefined;
  /** Required for a new flag that is no boolean flag. A boolean flag has `on` and `off`. */
  readonly variants?: readonly FileVariant[] | undefined;
  /** The key of a variant; null: none. Default: `off` for a boolean flag, else null. */
  readonly offVariant?: string | null | undefined;
  /** A JSON Schema that the value of every variant must match; null: none. Default: null. */
  readonly valueSchema?: Readonly<Record<string, unknown>> | null | undefined;
  /** Default: none. */
  readonly prerequisites?: readonly FilePrerequisite[] | undefined;
  /** The strategies of the flag, by the names of environments. */
  readonly environments?: Named<FileStrategy> | undefined;
}

/** A tag of a flag: the name of a tag, which is also the value, or a name with another value. */
export type FileFlagTag = string | { readonly name: string; readonly value: string };

export interface FileVariant {
  readonly key: string;
  /** A JSON value of the flag's `valueType`. */
  readonly value: unknown;
  readonly description?: string | undefined;
}

export interface FilePrerequisite {
  readonly flagKey: string;
  /** The value that `enabled` must have in the verdict of the required flag. Default: true. */
  readonly enabled?: boolean | undefined;
  /** The variants of which the required flag must serve one. Default: any variant. */
  readonly variants?: readonly string[] | undefined;
}

/** What a strategy and each of its rules have: whom they apply to, and what they serve. */
export interface FileActivation {
  /** 0 to 100, with up to three decimals: `exactPercentage` of the API. Default: 100. */
  readonly percentage?: number | undefined;
  /** Default: none. */
  readonly constraints?: readonly FileConstraint[] | undefined;
  /** The names of segments, all of which must hold. Default: none. */
  readonly segments?: readonly string[] | undefined;
  /** The context field that the roll-out hashes. Default: null, the first usual one. */
  readonly stickiness?: string | null | undefined;
  /** Replaces the flag key in the hash of the roll-out. Default: null, the flag key. */
  readonly hashKey?: string | null | undefined;
  /** Default: the first variant of the flag. */
  readonly serve?: FileServe | undefined;
  /** Replaces the flag key in the hash of the split. Default: null, the flag key. */
  readonly splitKey?: string | null | undefined;
  /** The context field that the split hashes. Default: null, the one of the roll-out. */
  readonly splitStickiness?: string | null | undefined;
}

/** The strategy of a flag in one environment. */
export interface FileStrategy extends FileActivation {
  /** Default: false. */
  readonly enabled?: boolean | undefined;
  /** The rules that are tried in order before the strategy's own fields. Default: none. */
  readonly rules?: readonly FileRule[] | undefined;
}

/** An ordered rule. A field that is left out has its default. */
export interface FileRule extends FileActivation {
  /**
   * Identifies the rule within the flag and the environment: 1 to 40 lower-case letters, digits and
   * hyphens. Default: the id of the rule with the same content or name, else a new id.
   */
  readonly id?: string | undefined;
  /** Default: null. */
  readonly name?: string | null | undefined;
}

/** What a rule serves: one variant, or a weighted split. */
export type FileServe =
  | { readonly variant: string }
  | {
      /** Percent, with up to three decimals, by the key of the variant. They add up to 100. */
      readonly weights: Readonly<Record<string, number>>;
      /**
       * Which of the 100,000 positions each variant has, with their history: the variant received
       * the positions next to the first border first. Default: those that the split has, changed
       * for as few users as possible.
       */
      readonly slots?: readonly StoredSlot[] | undefined;
    };
