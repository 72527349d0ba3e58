import type { ValueType } from "../api/types.ts";

export interface SnippetInput {
  /** The base URL of the service, without a trailing slash. */
  readonly url: string;
  readonly apiKey: string;
  readonly flagKey: string;
  readonly valueType: ValueType;
  /** The default in the code, of the flag's type. */
  readonly fallback: unknown;
}

/** A code example that the dashboard shows in a tab. */
export type Language =
  | "openfeature"
  | "react"
  | "python"
  | "go"
  | "sdk"
  | "unleash"
  | "curl"
  | "typescript";

/**
 * The code examples by their language. The SDK is absent for an API key of type `FRONTEND`, with which
 * the SDK cannot fetch the rules. `unleash` is an SDK of Unleash, which works with this service as it is.
 */
export type Snippets = Readonly<
  Record<"openfeature" | "unleash" | "curl" | "typescript", string> &
    Partial<Record<Language, string>>
>;
