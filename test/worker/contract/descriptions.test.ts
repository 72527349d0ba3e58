import { beforeAll, describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { everything, type Known } from "./known.ts";
import { filled, properly, type Route, tokenOf } from "./route.ts";
import { ROUTES } from "./routes.ts";

const TOO_LARGE = " ".repeat(1_048_577);
let known: Known;

beforeAll(async () => {
  known = await everything();
});

const titled = (routes: readonly Route[]) => routes.map((route) => [route.name, route] as const);

const send = (route: Route, path: string, body: unknown) =>
  call(route.method, path, { token: tokenOf(route, known), body });

// `call` throws if a response does not match the API description, so these tests check statuses
// only.
describe("a response matches its description in the OpenAPI document, field by field,", () => {
  it.each(titled(ROUTES))("when it succeeds: %s", async (_, route) => {
    const answer = await call(...properly(route, known));
    expect(answer.status).toBeLessThan(300);
  });

  it.each(titled(ROUTES.filter(({ ids }) => ids !== undefined)))(
    "when the resource does not exist: %s",
    async (_, route) => {
      const path = filled(route.path, [999_999, 999_999]);
      const answer = await send(route, path, route.body?.(known));
      expect(answer.status).toBe(404);
    },
  );

  it.each(titled(ROUTES.filter(({ method }) => method !== "GET")))(
    "when the request body is larger than 1 MiB: %s",
    async (_, route) => {
      const answer = await send(route, filled(route.path, [999_999, 999_999]), TOO_LARGE);
      expect(answer.status).toBe(400);
    },
  );
});
