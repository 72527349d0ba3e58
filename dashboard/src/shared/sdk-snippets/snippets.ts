import type { ApiKey } from "../api/types.ts";
import { frontendSnippets } from "./frontend-snippets.ts";
import { serverSnippets } from "./server-snippets.ts";

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

/** Programs that ask for a flag, ready to be run: each is one file, and prints true or false. */
export const snippetsFor = (keyType: ApiKey["keyType"], input: SnippetInput): Snippets =>
  keyType === "SERVER" ? serverSnippets(input) : frontendSnippets(input);
