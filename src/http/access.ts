import { createMiddleware } from "hono/factory";
import { ApiError, unauthorized } from "../core/errors/api-error.ts";
import { allows, type Permission } from "@feature-flags/permissions/permissions";
import type { HttpVariables } from "./context.ts";
import { limitRequest } from "./request-limits.ts";

/** Returns the token of `Authorization: Bearer`; undefined: there is none (RFC 6750 section 2.1). */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
}

function authorize(permission: Permission) {
  return createMiddleware<{ Variables: HttpVariables }>(async (c, next) => {
    const token = bearerToken(c.req.header("Authorization"));
    const actor = token === undefined ? undefined : await c.var.identify(token);
    if (!actor) throw unauthorized();
    c.var.limits.caller(actor);
    if (actor.kind === "user" && actor.mfaOverdue && permission !== "session:own")
      throw new ApiError("FORBIDDEN", "Set up a second factor first, at /api/v1/auth/mfa");
    if (!allows(actor, permission))
      throw new ApiError("FORBIDDEN", `This needs the permission ${permission}`);
    c.set("actor", actor);
    await next();
  });
}

/** The part of a route contract that documents which permission is required. */
export function security<P extends Permission>(permission: P) {
  return { security: [{ bearer: [] }], "x-permission": permission };
}

/** The part of a route contract that enforces and documents the permission: 401, 429, then 403. */
export function access<P extends Permission>(permission: P) {
  return { middleware: [authorize(permission), ...limitRequest], ...security(permission) };
}

const OPEN = { security: [], "x-permission": null };

/** The part of a route contract for a public route whose handler limits the rate itself. */
export const open = { middleware: [...limitRequest], ...OPEN };

/** The part of a route contract for a public route with a rate limit by address (docs/api.md). */
export const openAtRate = (limit: "session" | "link") => ({
  middleware: [admit(limit), ...limitRequest],
  ...OPEN,
});

const admit = (limit: "session" | "link") =>
  createMiddleware<{ Variables: HttpVariables }>((c, next) => {
    c.var.limits[limit]();
    return next();
  });
