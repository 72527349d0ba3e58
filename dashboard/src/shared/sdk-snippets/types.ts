export interface SnippetInput {
  /** The base URL of the service, without a trailing slash. */
  readonly url: string;
  readonly apiKey: string;
  readonly flagKey: string;
}

export interface Snippets {
  readonly openfeature: string;
  /** Absent for an API key of type `FRONTEND`, with which the SDK cannot fetch the rules. */
  readonly sdk?: string;
  /** With an SDK of Unleash, which works with this service as it is. */
  readonly unleash: string;
  readonly curl: string;
  readonly typescript: string;
}
