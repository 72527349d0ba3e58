import type { ApiKey } from "../api/types.ts";
import { frontendSnippets } from "./frontend-snippets.ts";
import { serverSnippets } from "./server-snippets.ts";
import type { SnippetInput, Snippets } from "./types.ts";

/** Each program is a single file, and prints the value of the flag. */
export const snippetsFor = (keyType: ApiKey["keyType"], input: SnippetInput): Snippets =>
  keyType === "SERVER" ? serverSnippets(input) : frontendSnippets(input);
