import { env, exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { CONTEXT_TYPES, operatorsOf } from "@feature-flags/evaluation/operators";
import { call, request } from "../support/client.ts";
import { inCountries, newFlag, newWorld, setStrategy } from "../support/world.ts";
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
  // The logout is sent here first, because it ends the session of its access token.
  it.each(titled(ROUTES.filter(({ method }) => method !== "GET")))(
    "when the request body is larger than 1 MiB: %s",
    async (_, route) => {
      const answer = await send(route, filled(route.path, [999_999, 999_999]), TOO_LARGE);
      expect(answer.status).toBe(400);
    },
  );

  it.each(titled(ROUTES))("when the request succeeds: %s", async (_, route) => {
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
});

describe("the operator of a constraint", () => {
  it("is described as one of the operators of all context types, in requests and in responses", async () => {
    const { body } = await call("GET", "/v3/api-docs");
    const operators = new Set(CONTEXT_TYPES.flatMap((type) => operatorsOf(type)));
    for (const schema of ["Constraint", "NewConstraint"])
      expect(new Set(body.components.schemas[schema].properties.operator.enum)).toEqual(operators);
  });

  it("is returned as it is stored, even when the service does not know it", async () => {
    const { projectId, environmentId, apiKey } = await newWorld();
    const { id } = await newFlag(projectId);
    await setStrategy(id, { environmentId, constraints: [inCountries("DE")] });
    await env.DB.prepare(
      "UPDATE strategies SET constraints = replace(constraints, '\"in\"', '\"like\"') WHERE flag_id = ?",
    )
      .bind(id)
      .run();
    // `call` would reject the response, because the operator is not in the API description.
    const response = await exports.default.fetch(
      request("GET", `/api/v1/flags/${id}/strategies`, { token: apiKey }),
    );
    expect(response.status).toBe(200);
    const [strategy] = (await response.json()) as { constraints: unknown }[];
    expect(strategy?.constraints).toEqual([{ ...inCountries("DE"), operator: "like" }]);
  });
});
