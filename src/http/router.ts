import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context, Env } from "hono";
import { ApiError, type FieldError, invalid } from "../core/errors/api-error.ts";
import { fieldErrorsOf } from "./zod-errors.ts";

/**
 * A room: routes of one resource. Faults in a JSON body are a `VALIDATION_ERROR` that lists them
 * all, errors in path, query and headers a `BAD_REQUEST` (docs/decisions.md, 1.3). `further` finds errors of
 * a JSON body, whatever it is, that no schema can know, such as those that depend on a setting.
 */
export function createRouter<E extends Env>(
  further?: (body: unknown, c: Context<E>) => readonly FieldError[],
): OpenAPIHono<E> {
  return new OpenAPIHono<E>({
    defaultHook: async (result, c) => {
      // A missing body reads as {}, which a schema of optional fields would take.
      if (result.target === "json" && c.req.header("Content-Type") === undefined)
        throw new ApiError("BAD_REQUEST", "A JSON body is required");
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
