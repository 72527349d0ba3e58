import type { Context } from "hono";
import { JSON_TYPE } from "./content-type.ts";

/**
 * Responds with 200 and a JSON text. A large text is not parsed and written again, as `c.json` would.
 * The type cannot say what the text describes, so only the tests compare it with the contract.
 */
export const jsonText = (
  c: Context,
  text: string,
  headers: Readonly<Record<string, string>>,
): Response => c.body(text, 200, { ...headers, "Content-Type": JSON_TYPE });
