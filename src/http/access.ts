import { createMiddleware } from "hono/factory";
import { unauthorized } from "../core/errors/api-error.ts";
import type { Permission } from "@feature-flags/permissions/permissions";
import type { HttpVariables } from "./context.ts";
import { assertAllowed } from "./permission.ts";
import { refuseProposals } from "./proposals.ts";
import { type BodyLimits, limitRequestTo, OPEN_LIMITS } from "./request-limits.ts";

/**
 * Returns the token in a header `Authorization: Bearer`; undefined if the header has none (RFC 6750
 * section 2.1).
 */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
}

/**
 * Middleware that rejects a request with 401 if the caller is unknown, with 429 above the caller's
 * rate limit, and with 403 without the permission or a required second factor.
 */
function authorize(permission: Permission, isFile: boolean) {
  return createMiddleware<{ Variables: HttpVariables }>(async (c, next) => {
    const token = bearerToken(c.req.header("Authorization"));
    const actor = token === undefined ? undefined : await c.var.identify(token);
    if (!actor) throw unauthorized();
    c.var.limits.caller(actor);
    if (isFile) c.var.limits.file(actor);
    assertAllowed(actor, permission);
    c.set("actor", actor);
    await next();
  });
}

/** The part of a route contract that documents the required permission. */
export function security<P extends Permission>(permission: P) {
  return { security: [{ bearer: [] }], "x-permission": permission };
}

interface AccessOptions {
  /** The limits of the body, if they are not the usual ones. */
  readonly body?: BodyLimits;
  /** Whether the request also counts against the rate limit of files. Default: false. */
  readonly isFile?: boolean;
}

/**
 * The part of a route contract that enforces and documents the required permission. `authorize`
 * describes the errors.
 */
export function access<P extends Permission>(
  permission: P,
  { body, isFile = false }: AccessOptions = {},
) {
  return {
    middleware: [authorize(permission, isFile), refuseProposals, ...limitRequestTo(body)],
    ...security(permission),
  };
}

const OPEN = { security: [], "x-permission": null };

/**
 * The part of a route contract for a public route without a rate limit. The handler of the login
 * limits failed logins itself.
 */
export const open = { middleware: [refuseProposals, ...limitRequestTo(OPEN_LIMITS)], ...OPEN };

/**
 * The part of a route contract for a public route with a rate limit for each network (docs/use/api.md).
 * `body`: the limits of the body, if they are not those of a route without a login.
 */
export const openAtRate = (limit: "session" | "link", body: BodyLimits = OPEN_LIMITS) => ({
  middleware: [admit(limit), refuseProposals, ...limitRequestTo(body)],
  ...OPEN,
});

/**
 * Middleware that counts the request against a rate limit. Above the limit, the request is rejected with 429.
 */
const admit = (limit: "session" | "link") =>
  createMiddleware<{ Variables: HttpVariables }>((c, next) => {
    c.var.limits[limit]();
    return next();
  });
