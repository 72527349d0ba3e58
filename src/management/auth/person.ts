import type { Context } from "hono";
import { unauthorized } from "../../core/errors/api-error.ts";
import type { UserActor } from "@feature-flags/permissions/permissions";
import type { ManagementEnv } from "../deps.ts";

/** The actor of a route for people: the permission `session:own` leaves nobody else. */
export function person(c: Context<ManagementEnv>): UserActor {
  if (c.var.actor.kind !== "user") throw unauthorized();
  return c.var.actor;
}
