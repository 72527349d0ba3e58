import { OpenAPIHono, type RouteConfig, type RouteHandler } from "@hono/zod-openapi";
import type { Context, Env } from "hono";
import { ApiError, type FieldError, invalid } from "../core/errors/api-error.ts";
import { fieldErrorsOf } from "./zod-errors.ts";

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The contract of a route, without what the router adds to it. */
type Contract = Omit<RouteConfig, "method" | "path" | "tags">;

/** A contract as its handler sees it. */
type Route<C extends Contract> = C & { readonly method: "get"; readonly path: string };

/**
 * The routes of one resource, which the API description lists under one tag. An invalid JSON body
 * causes the error `VALIDATION_ERROR`. An invalid path, query or header causes `BAD_REQUEST`. Both
 * errors list every field error. `further` finds field errors that no schema can express, such as
 * those that depend on a setting.
 */
export class Router<E extends Env> extends OpenAPIHono<E> {
  readonly #tag: string;

  constructor(tag: string, further?: (body: unknown, c: Context<E>) => readonly FieldError[]) {
    super({
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
    this.#tag = tag;
  }

  /** Adds a route. `place` is its method and its path, such as `GET /{id}`. */
  endpoint<C extends Contract>(
    place: `${Method} /${string}`,
    contract: C,
    handler: RouteHandler<Route<C>, E>,
  ): void {
    const [method = "", path = ""] = place.split(" ");
    const route = { method: method.toLowerCase(), path, tags: [this.#tag], ...contract };
    this.openapi(route as Route<C>, handler);
  }
}
