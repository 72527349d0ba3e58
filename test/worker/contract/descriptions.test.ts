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

// `call` compares every response with the published description.
describe("the response matches the description, field by field", () => {
  it.each(titled(ROUTES))("%s when it succeeds", async (_, route) => {
    const answer = await call(...properly(route, known));
    expect(answer.status).toBeLessThan(300);
  });

  it.each(titled(ROUTES.filter(({ ids }) => ids !== undefined)))(
    "%s when the resource does not exist",
    async (_, route) => {
      const path = filled(route.path, [999_999, 999_999]);
      const answer = await send(route, path, route.body?.(known));
      expect(answer.status).toBe(404);
    },
  );

  it.each(titled(ROUTES.filter(({ method }) => method !== "GET")))(
    "%s when the body is larger than 1 MB",
    async (_, route) => {
      const answer = await send(route, filled(route.path, [999_999, 999_999]), TOO_LARGE);
      expect(answer.status).toBe(400);
    },
  );
});
