import { OpenAPIHono } from "@hono/zod-openapi";
import type { Env } from "hono";
import { ApiError, invalid } from "../core/errors.ts";
import { faultsOf } from "./faults.ts";

/**
 * A room: routes of one resource. Faults in a JSON body are a `VALIDATION_ERROR` that lists them
 * all, faults in path, query and headers a `BAD_REQUEST` (decisions 1.3).
 */
export function createRoom<E extends Env>(): OpenAPIHono<E> {
  return new OpenAPIHono<E>({
    defaultHook: (result, c) => {
      // A missing body reads as {}, which a schema of optional fields would take.
      if (result.target === "json" && c.req.header("Content-Type") === undefined)
        throw new ApiError("BAD_REQUEST", "A JSON body is required");
      if (result.success) return;
      const faults = faultsOf(result.error);
      if (result.target === "json") throw invalid(faults);
      const words = faults.map(({ field, message }) => `${field}: ${message}`).join("; ");
      throw new ApiError("BAD_REQUEST", `Invalid ${result.target}: ${words}`);
    },
  });
}
