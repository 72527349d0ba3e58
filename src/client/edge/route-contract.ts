import type { RouteConfig } from "@hono/zod-openapi";

/**
 * What the API description says about a route of a surface, besides its path and permission. An isolate
 * that serves SDKs never loads these schemas.
 */
export type RouteContract = Omit<RouteConfig, "security" | "method" | "path" | "operationId">;
