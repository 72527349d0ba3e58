import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env } from "hono";
import { ApiError, type FieldError, invalid } from "../core/errors/api-error.ts";
import { fieldErrorsOf } from "./zod-errors.ts";

/**
 * Returns a router for the routes of one resource. An invalid JSON body causes the error
 * `VALIDATION_ERROR`. An invalid path, query or header causes `BAD_REQUEST`. Both errors list every
 * field error. `further` finds field errors that no schema can express, such as those that depend
 * on a setting.
 */
export function createRouter<E extends Env>(
  further?: (body: unknown, c: Context<E>) => readonly FieldError[],
): OpenAPIHono<E> {
  return new OpenAPIHono<E>({
    defaultHook: async (result, c) => {
      // Treats the body as missing. If a request has neither `Content-Type` nor a body, Hono reads
      // the body as {}, which a schema with only optional fields would accept.
      if (result.target === "json" && c.req.header("Content-Type") === undefined)
        throw new ApiError("BAD_REQUEST", "The request has no body; send a JSON body");
      const found = result.success ? [] : fieldErrorsOf(result.error);
      const isBody = further !== undefined && result.target === "json";
      const errors = isBody ? [...found, ...further(await c.req.json(), c)] : found;
      if (errors.length === 0) return;
      if (result.target === "json") throw invalid(errors);
      const words = errors.map(({ field, message }) => `${field}: ${message}`).join("; ");
      throw new ApiError("BAD_REQUEST", `Invalid ${result.target}: ${words}`);
    },
  });
}
