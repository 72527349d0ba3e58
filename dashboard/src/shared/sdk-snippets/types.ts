export interface SnippetInput {
  /** Where the service answers, without a slash at the end. */
  readonly url: string;
  readonly apiKey: string;
  readonly flagKey: string;
}

export interface Snippets {
  readonly curl: string;
  readonly typescript: string;
  readonly openfeature: string;
}
