import type { Context } from "hono";
import { ApiError } from "../core/errors/api-error.ts";
import { assertDepth, bodyText } from "./request-limits.ts";

const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json *(?:;|$)/i;

/** The parsed body. Errors: 400 for another content type, malformed JSON or one that is too deep. */
export async function readJson(c: Context): Promise<unknown> {
  if (!JSON_TYPE.test(c.req.header("Content-Type") ?? ""))
    throw new ApiError("BAD_REQUEST", "The body must be application/json");
  const text = await bodyText(c);
  assertDepth(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError("BAD_REQUEST", "Malformed JSON in request body");
  }
}
