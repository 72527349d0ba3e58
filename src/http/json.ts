import { parseWithDigits } from "@feature-flags/evaluation/json-numbers";
import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { ApiError, invalid, notJson } from "../core/errors/api-error.ts";
import { isObject } from "../core/lib/is-object.ts";
import { hasJsonType, JSON_TYPE } from "./content-type.ts";
import { assertDepth, limitedText } from "./request-limits.ts";
import { NO_SNIFFING } from "./security-headers.ts";
import { fieldErrorsOf } from "./zod-errors.ts";

export const JSON_HEADERS = { "Content-Type": JSON_TYPE, ...NO_SNIFFING };

/**
 * Reads the JSON body of a request and checks it by a schema. Throws: 400 for a body that is too large, too
 * deep or not JSON; 400 with field errors for a body that does not fit the schema.
 */
export async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  const parsed = schema.safeParse(await readJson(c));
  if (!parsed.success) throw invalid(fieldErrorsOf(parsed.error));
  return parsed.data;
}

/**
 * Reads the JSON body of a request. A number that no double holds becomes its text. Throws: 400 for a
 * body that is too large, too deep or not JSON.
 */
export async function readJson(c: Context): Promise<unknown> {
  const text = await limitedText(c);
  if (!hasJsonType(c.req.raw.headers.get("Content-Type"))) throw notJson();
  assertDepth(text);
  try {
    return parseWithDigits(text);
  } catch {
    throw new ApiError("BAD_REQUEST", "Malformed JSON in request body");
  }
}

/** As `readJson`, for a body that must be an object. Throws: also 400 for another JSON value. */
export async function readObject(c: Context): Promise<Readonly<Record<string, unknown>>> {
  const body = await readJson(c);
  if (!isObject(body)) throw invalid([{ field: "", message: "must be an object" }]);
  return body;
}
