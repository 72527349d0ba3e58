import type { z } from "@hono/zod-openapi";
import type { Context } from "hono";
import { invalid } from "../core/errors/api-error.ts";
import { fieldErrorsOf } from "../http/zod-errors.ts";
import { readJson } from "../http/json.ts";
import { limitBody } from "../http/request-limits.ts";

/** The body of the request, as its schema has it. Errors: 400, with every fault (decisions 1.3). */
export async function readBody<T>(c: Context, schema: z.ZodType<T>): Promise<T> {
  await limitBody(c, async () => {});
  const parsed = schema.safeParse(await readJson(c));
  if (!parsed.success) throw invalid(fieldErrorsOf(parsed.error));
  return parsed.data;
}
