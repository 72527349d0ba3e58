import { timingSafeEqual } from "node:crypto";
import { createMiddleware } from "hono/factory";
import { notFound, unauthorized } from "../../core/errors/api-error.ts";
import { sha256 } from "../../core/lib/digest.ts";
import { bearerToken } from "../../http/access.ts";
import type { ActuatorEnv } from "./ports.ts";

/**
 * The middleware that checks access to an operational endpoint: first the token (401), if one is
 * configured and the endpoint is not `health`, then whether the endpoint is exposed (404).
 */
export const gate = createMiddleware<ActuatorEnv>(async (c, next) => {
  const { exposed, token } = c.var.actuator;
  const [, , name = ""] = c.req.path.split("/");
  if (token !== undefined && name !== "health" && !(await hasToken(c.req.raw.headers, token)))
    throw unauthorized("The operational endpoints need the bearer token ACTUATOR_TOKEN");
  if (name !== "" && !exposed.some((endpoint) => endpoint === name))
    throw notFound("The path does not exist");
  await next();
});

/**
 * Whether the request has the token. Compares hashes of the tokens: they have equal lengths, so the
 * time of the comparison reveals nothing.
 */
async function hasToken(headers: Headers, token: string): Promise<boolean> {
  const given = bearerToken(headers.get("Authorization") ?? undefined);
  const [one, other] = await Promise.all([sha256(given ?? ""), sha256(token)]);
  return timingSafeEqual(bytes(one), bytes(other)) && given !== undefined;
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** The security part of a route contract: the endpoint needs a token when one is configured. */
export const withToken = { security: [{}, { actuatorToken: [] }], "x-permission": null };
