import type { AllOptions, Details, FlagResult, JsonValue } from "./evaluator.ts";
import type { EvaluationContext } from "./flag-types.ts";
import type { ValueType } from "./rule-store.ts";
import type { Counts } from "./usage.ts";

/**
 * The entrypoint `Flags` of the service, as another Worker of the account calls it through a
 * service binding. `environment` is the id of an environment. It may be missing when the binding
 * names it (`props = { environment = 12 }`). The calls throw when there is no such environment.
 */
export interface FlagsBinding {
  /** Evaluates a flag in the service. Returns `fallback` when the flag has no value of this type. */
  boolean(
    key: string,
    fallback: boolean,
    context?: EvaluationContext,
    environment?: number,
  ): Promise<boolean>;
  string(
    key: string,
    fallback: string,
    context?: EvaluationContext,
    environment?: number,
  ): Promise<string>;
  number(
    key: string,
    fallback: number,
    context?: EvaluationContext,
    environment?: number,
  ): Promise<number>;
  /** The type of the value is the caller's claim; the service does not check it. */
  json<T = JsonValue>(
    key: string,
    fallback: T,
    context?: EvaluationContext,
    environment?: number,
  ): Promise<T>;
  /** Evaluates a flag, and says how the value came about. */
  details<T>(
    key: string,
    fallback: T,
    context?: EvaluationContext,
    options?: DetailsOptions,
  ): Promise<Details<T>>;
  /**
   * Evaluates all flags for one context. `options` may be the id of the environment. Throws when the
   * service has no rules.
   */
  all(
    context?: EvaluationContext,
    options?: number | BindingAllOptions,
  ): Promise<Record<string, FlagResult>>;
  /** Returns all rules of the environment, or only those that the caller lacks. */
  rules(request?: RulesRequest): Promise<RulesAnswer>;
  /** Accepts how often flags were checked. */
  report(report: BindingReport): Promise<ReportAnswer>;
}

export interface BindingAllOptions extends AllOptions {
  readonly environment?: number | undefined;
}

export interface DetailsOptions {
  /** The type of the flag. Default: that of the fallback. */
  readonly type?: ValueType | undefined;
  readonly environment?: number | undefined;
}

/** How a caller describes itself, for the service's list of instances. */
export interface BindingCaller {
  readonly appName?: string | undefined;
  readonly instanceId: string;
  readonly sdkVersion?: string | undefined;
}

/** The rules that a caller has, and how new the rules in the answer must be. */
export interface RulesRequest {
  readonly environment?: number | undefined;
  /** The ETag of the rules that the caller has; undefined: none. */
  readonly etag?: string | undefined;
  /** `nextSince` of the newest answer; undefined: the answer must have all rules. */
  readonly since?: string | undefined;
  /** The answer has rules of at least this revision, or says that its rules are stale. */
  readonly minRevision?: number | undefined;
  readonly caller?: BindingCaller | undefined;
}

/** Why a call has failed. */
export interface BindingFailure {
  readonly kind: "failed";
  /**
   * `NOT_FOUND`: there is no such environment. `INVALID`: the arguments are wrong. `UNAVAILABLE`:
   * the service cannot read its database.
   */
  readonly code: "NOT_FOUND" | "INVALID" | "UNAVAILABLE";
  readonly message: string;
}

/** The answer of `rules`. */
export type RulesAnswer =
  | BindingFailure
  | {
      /**
       * `full`: all rules. `partial`: the rules that changed since the caller's revision.
       * `unchanged`: none, because the caller has the newest rules.
       */
      readonly kind: "full" | "partial" | "unchanged";
      /** A JSON array in UTF-8; empty when `kind` is `unchanged`. */
      readonly rules: Uint8Array;
      readonly revision: number;
      readonly etag: string;
      /** The digest of all rules; undefined: the service is of a release before this field. */
      readonly digest?: string | undefined;
      readonly nextSince: string;
      /** Whether newer rules may exist, because the service could not ask its database. */
      readonly isStale: boolean;
    };

/** How often flags were checked. */
export interface BindingReport {
  readonly environment?: number | undefined;
  readonly evaluations: Counts;
  readonly caller?: BindingCaller | undefined;
  /** The revision of the rules that the caller evaluates. */
  readonly revision?: number | undefined;
}

/** The answer of `report`. */
export type ReportAnswer = BindingFailure | { readonly kind: "accepted" };
