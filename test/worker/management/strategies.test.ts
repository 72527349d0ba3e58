import { describe, expect, it } from "vitest";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { defaultStrategy, time } from "../support/shapes.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newProject,
  newSegment,
  setStrategy,
} from "../support/world.ts";

const strategiesOf = (flagId: number) => `/api/v1/flags/${flagId}/strategies`;

async function flagInEnvironment() {
  const { id: projectId } = await newProject();
  const environment = await newEnvironment(projectId);
  const flag = await newFlag(projectId);
  const ids = { flagId: flag.id as number, environmentId: environment.id as number };
  const unset = { ...ids, environmentName: environment.name, ...defaultStrategy };
  return { projectId, ...ids, unset };
}

describe("the strategy of a flag in an environment", () => {
  it("is disabled, with 100 percent, no constraints and no segments, until it is set", async () => {
    const { projectId, flagId, environmentId, unset } = await flagInEnvironment();
    const second = await newEnvironment(projectId);
    const answer = await asAdmin("GET", strategiesOf(flagId));
    expect(answer.status).toBe(200);
    const other = { environmentId: second.id, environmentName: second.name };
    expect(answer.body).toEqual([unset, { ...unset, ...other }]);
    const one = await asAdmin("GET", `${strategiesOf(flagId)}/${environmentId}`);
    expect([one.status, one.body]).toEqual([200, unset]);
  });

  it("is returned with 200 when it is set, is read with the same fields, and keeps the fields that the next change omits", async () => {
    const { projectId, flagId, environmentId, unset } = await flagInEnvironment();
    const segments = [await newSegment(projectId, []), await newSegment(projectId, [])];
    const content = {
      enabled: true,
      percentage: 25,
      constraints: [inCountries("de")],
      segmentIds: [segments[1].id, segments[0].id],
      stickiness: "company",
    };
    const answer = await asAdmin("PUT", strategiesOf(flagId), { environmentId, ...content });
    expect(answer.status).toBe(200);
    const expected = { ...unset, ...content, exactPercentage: 25, version: 1, updatedAt: time };
    expect(answer.body).toEqual(expected);
    const read = await asAdmin("GET", `${strategiesOf(flagId)}/${environmentId}`);
    expect(read.body).toEqual(answer.body);
    const off = await setStrategy(flagId, { environmentId, enabled: false });
    expect(off).toEqual({ ...expected, enabled: false, version: 2 });
  });

  it("stays unset when the strategy in a second environment is set", async () => {
    const { projectId, flagId, environmentId, unset } = await flagInEnvironment();
    const second = await newEnvironment(projectId);
    await setStrategy(flagId, { environmentId: second.id, enabled: true });
    const read = await asAdmin("GET", `${strategiesOf(flagId)}/${environmentId}`);
    expect(read.body).toEqual(unset);
  });

  it("contains a segment once when the request names the segment twice", async () => {
    const { projectId, flagId, environmentId } = await flagInEnvironment();
    const { id } = await newSegment(projectId, []);
    const set = await setStrategy(flagId, { environmentId, segmentIds: [id, id] });
    expect(set.segmentIds).toEqual([id]);
  });

  it.each([
    [{ environmentId: "1" }, ["environmentId"]],
    [{ percentage: 101, enabled: "true" }, ["enabled", "percentage"]],
    [{ percentage: -1 }, ["percentage"]],
    [{ percentage: 0.5 }, ["percentage"]],
    [{ percentage: null }, ["percentage"]],
    [{ segmentIds: Array.from({ length: 21 }, (_, n) => n + 1) }, ["segmentIds"]],
    [{ segmentIds: [0, "1"] }, ["segmentIds.0", "segmentIds.1"]],
    [{ stickiness: "" }, ["stickiness"]],
    [{ stickiness: "x".repeat(201) }, ["stickiness"]],
  ])(
    "is not set from %j, and returns 400 with an error for each invalid field",
    async (change, fields) => {
      const answer = await asAdmin("PUT", strategiesOf(1), { environmentId: 1, ...change });
      expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
      expect(invalidFields(answer)).toEqual(fields);
    },
  );

  it("is not set by a request without environmentId (400)", async () => {
    expect(invalidFields(await asAdmin("PUT", strategiesOf(1), {}))).toEqual(["environmentId"]);
  });

  it("returns 404 for an environment that is unknown or of another project, and names the environment", async () => {
    const { flagId } = await flagInEnvironment();
    const foreign = await newEnvironment((await newProject()).id);
    for (const id of [foreign.id, 999_999]) {
      const answer = await asAdmin("GET", `${strategiesOf(flagId)}/${id}`);
      expect(outcome(answer)).toBe("404 NOT_FOUND");
      expect(answer.body.error).toMatch(/environment/i);
    }
  });
});
