import { beforeEach, describe, expect, it } from "vitest";
import { callWith } from "../support/call-with.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { auditOf, eventsOf, revisionOf } from "../support/records.ts";
import {
  inCountries,
  newEnvironment,
  newFlag,
  newProject,
  newSegment,
  newSubscriber,
  setStrategy,
} from "../support/world.ts";

const variants = ["blue", "red", "green"].map((key) => ({ key, value: `#${key}` }));
const split = (blue: number, red: number, green: number) => ({
  serve: { weights: { blue, red, green } },
});

let projectId: number;
let environmentId: number;
let flagId: number;
beforeEach(async () => {
  projectId = (await newProject()).id;
  environmentId = (await newEnvironment(projectId)).id;
  flagId = (await newFlag(projectId, { valueType: "string", variants })).id;
});

const path = () => `/api/v1/flags/${flagId}/strategies`;
const dryRun = (change: object, query = "?dryRun=true") =>
  asAdmin("PUT", `${path()}${query}`, { environmentId, ...change });
const read = async () => (await asAdmin("GET", `${path()}/${environmentId}`)).body;

describe("a dry run", () => {
  it("returns the strategy as it would be, with the share of users who would move", async () => {
    const before = await setStrategy(flagId, {
      environmentId,
      enabled: true,
      ...split(34, 33, 33),
    });
    const answer = await dryRun({ ...split(50, 25, 25), rules: [] });
    expect(answer.status).toBe(200);
    const { serve } = answer.body;
    expect(answer.body).toEqual({ ...before, serve, moves: 0.16 });
    expect(serve.weights).toEqual({ blue: 50, red: 25, green: 25 });
    const written = await setStrategy(flagId, { environmentId, ...split(50, 25, 25) });
    expect(written).toEqual({ ...before, serve, version: 2, updatedAt: written.updatedAt });
  });

  it("writes nothing: no strategy, audit record, event or revision", async () => {
    await newSubscriber(projectId);
    const [before, revision] = [await read(), await revisionOf(environmentId)];
    const segment = await newSegment(projectId, []);
    const rules = [{ segmentIds: [segment.id] }];
    const answer = await dryRun({ enabled: true, percentage: 30, segmentIds: [segment.id], rules });
    expect(answer.body).toMatchObject({ enabled: true, version: 0, updatedAt: null, moves: 1 });
    expect(answer.headers.get("ETag")).toBe('"0"');
    expect(answer.headers.get("X-Revision")).toBeNull();
    expect([await auditOf(answer), await eventsOf(answer)]).toEqual([[], []]);
    expect([await read(), await revisionOf(environmentId)]).toEqual([before, revision]);
    expect((await asAdmin("DELETE", `/api/v1/segments/${segment.id}`)).status).toBe(204);
  });

  it("moves nobody when the change changes nothing", async () => {
    expect((await dryRun({})).body.moves).toBe(0);
  });

  it("is not made with dryRun=false, and is rejected with another value", async () => {
    const answer = await dryRun({ enabled: true }, "?dryRun=false");
    expect([answer.body.version, "moves" in answer.body]).toEqual([1, false]);
    expect(outcome(await dryRun({ enabled: true }, "?dryRun=yes"))).toBe("400 BAD_REQUEST");
  });

  it("is rejected with the error of the change itself", async () => {
    const same = async (
      change: object,
      headers: Record<string, string> = {},
      quota = "8000000",
    ) => {
      const options = { token: await adminToken(), body: { environmentId, ...change }, headers };
      const vars = { QUOTA_RULE_BYTES: quota };
      const dry = await callWith(vars, "PUT", `${path()}?dryRun=true`, options);
      const wet = await callWith(vars, "PUT", path(), options);
      expect(outcome(dry)).toBe(outcome(wet));
      expect(dry.body.error).toBe(wet.body.error);
      return outcome(dry);
    };
    expect([
      await same({ serve: { variant: "yellow" } }),
      await same({ environmentId: 999_999 }),
      await same({ segmentIds: [999_999] }),
      await same({ enabled: true }, { "If-Match": '"5"' }),
      await same({ constraints: [inCountries("de")] }, {}, "80"),
    ]).toEqual([
      "400 VALIDATION_ERROR",
      "404 NOT_FOUND",
      "404 NOT_FOUND",
      "412 CONFLICT",
      "402 QUOTA_EXCEEDED",
    ]);
  });
});
