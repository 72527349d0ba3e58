import type { Context, TypedResponse } from "hono";

/**
 * Responds with 200 and a JSON text. A large text is not parsed and written again, as `c.json` would.
 * The type cannot say what the text describes, so only the tests compare it with the contract.
 */
export const jsonText = (c: Context, text: string, headers: Readonly<Record<string, string>>) =>
  c.body(text, 200, {
    ...headers,
    "Content-Type": "application/json",
  }) as unknown as TypedResponse<never, 200, "json">;
