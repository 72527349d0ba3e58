import type { Context } from "hono";
import { ApiError } from "../core/errors.ts";

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i;

/** The parsed body. Errors: 400 for another content type or malformed JSON (decisions 1.3). */
export async function readJson(c: Context): Promise<unknown> {
  if (!JSON_TYPE.test(c.req.header("Content-Type") ?? ""))
    throw new ApiError("BAD_REQUEST", "The body must be application/json");
  try {
    return await c.req.json();
  } catch {
    throw new ApiError("BAD_REQUEST", "Malformed JSON in request body");
  }
}
