import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { ApiError, unauthorized } from "../core/errors.ts";
import { allows, type Permission } from "../core/permissions.ts";
import type { HttpVariables } from "./context.ts";

/** 1 MB, decisions 1.3. */
const MAX_BODY_BYTES = 1_048_576;

/** The credential of `Authorization: Bearer`, or undefined (RFC 6750 section 2.1). */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
}

export const limitBody = bodyLimit({
  maxSize: MAX_BODY_BYTES,
  onError: () => {
    throw new ApiError("BAD_REQUEST", `The body is larger than ${MAX_BODY_BYTES} bytes`);
  },
});

function authorize(permission: Permission) {
  return createMiddleware<{ Variables: HttpVariables }>(async (c, next) => {
    const token = bearerToken(c.req.header("Authorization"));
    const actor = token === undefined ? undefined : await c.var.identify(token);
    if (!actor) throw unauthorized();
    if (actor.kind === "user" && actor.mfaOverdue && permission !== "session:own")
      throw new ApiError("FORBIDDEN", "Set up a second factor first, at /api/v1/auth/mfa");
    if (!allows(actor, permission))
      throw new ApiError("FORBIDDEN", `This needs the permission ${permission}`);
    c.set("actor", actor);
    await next();
  });
}

/** What a route contract tells of who may call. */
export function security<P extends Permission>(permission: P) {
  return { security: [{ bearer: [] }], "x-permission": permission };
}

/** The part of a route contract that says who may call: 401, then 403, before anything is read. */
export function access<P extends Permission>(permission: P) {
  return { middleware: [authorize(permission), limitBody], ...security(permission) };
}

/** A route that anybody may call. */
export const open = { middleware: [limitBody], security: [], "x-permission": null };
