import { timingSafeEqual } from "node:crypto";
import { createMiddleware } from "hono/factory";
import { notFound, unauthorized } from "../../core/errors/api-error.ts";
import { sha256 } from "../../core/lib/digest.ts";
import { bearerToken } from "../../http/access.ts";
import type { ActuatorEnv } from "./ports.ts";

/** What an address is to say before it says more: 401 but for health, then 404. */
export const gate = createMiddleware<ActuatorEnv>(async (c, next) => {
  const { exposed, token } = c.var.actuator;
  const [, , name = ""] = c.req.path.split("/");
  if (token !== undefined && name !== "health" && !(await holds(c.req.raw.headers, token)))
    throw unauthorized("The operational endpoints ask for their token");
  if (name !== "" && !exposed.some((endpoint) => endpoint === name)) throw notFound("The path");
  await next();
});

/** Hashes have the same length whatever the text, and tell nothing by how far they agree. */
async function holds(headers: Headers, token: string): Promise<boolean> {
  const given = bearerToken(headers.get("Authorization") ?? undefined);
  const [one, other] = await Promise.all([sha256(given ?? ""), sha256(token)]);
  return timingSafeEqual(bytes(one), bytes(other)) && given !== undefined;
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** The parts of a route contract that say who may call. */
export const withToken = { security: [{}, { actuatorToken: [] }], "x-permission": null };
