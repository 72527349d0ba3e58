import { timingSafeEqual } from "node:crypto";
import { createMiddleware } from "hono/factory";
import { notFound, unauthorized } from "../core/errors/api-error.ts";
import { sha256 } from "../core/lib/digest.ts";
import { bearerToken } from "../http/access.ts";
import type { ActuatorEnv } from "./ports.ts";

/**
 * The middleware that checks access to an operational endpoint. A request without the configured
 * token gets 401, and above the rate limit of its network 429. The endpoint `health` needs no
 * token. An endpoint that is not exposed gets 404.
 */
export const gate = createMiddleware<ActuatorEnv>(async (c, next) => {
  const { exposed, token, admit } = c.var.actuator;
  const [, , name = ""] = c.req.path.split("/");
  const isOperator = token !== undefined && (await hasToken(c.req.raw.headers, token));
  if (!isOperator) admit();
  if (token !== undefined && name !== "health" && !isOperator)
    throw unauthorized("The operational endpoints need the bearer token ACTUATOR_TOKEN");
  if (name !== "" && !exposed.some((endpoint) => endpoint === name))
    throw notFound("The path does not exist");
  await next();
});

/**
 * Returns whether the request has the token. Compares hashes of the tokens, which have equal
 * lengths, so that the duration of the comparison reveals nothing.
 */
async function hasToken(headers: Headers, token: string): Promise<boolean> {
  const given = bearerToken(headers.get("Authorization") ?? undefined);
  const [one, other] = await Promise.all([sha256(given ?? ""), sha256(token)]);
  return timingSafeEqual(bytes(one), bytes(other)) && given !== undefined;
}

const bytes = (text: string) => new TextEncoder().encode(text);

/** The security requirement in the contract of an endpoint that needs a token if one is configured. */
export const withToken = { security: [{}, { actuatorToken: [] }], "x-permission": null };
