import { env, exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { CONTEXT_TYPES, operatorsOf } from "@feature-flags/evaluation/operators";
import { call, request } from "../support/client.ts";
import { asAdmin } from "../support/outcomes.ts";
import { inCountries, newFlag, newWorld, setStrategy } from "../support/world.ts";

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

describe("the type of an entity in audit records", () => {
  it("is returned, and can be a filter, when another release has written it", async () => {
    const { projectId } = await newWorld();
    await newFlag(projectId);
    await env.DB.prepare(
      "UPDATE audit SET entity_type = 'experiment' WHERE entity_type = 'flag' AND project_id = ?",
    )
      .bind(projectId)
      .run();
    const path = `/api/v1/audit?projectId=${projectId}&entityType=experiment&related=true`;
    // `asAdmin` compares the response with the API description.
    const { status, body } = await asAdmin("GET", path);
    expect(status).toBe(200);
    expect(body.items).toMatchObject([{ action: "flag.created", entityType: "experiment" }]);
  });
});
