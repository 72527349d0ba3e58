import { describe, expect, it } from "vitest";
import { sendReport } from "../support/queue.ts";
import { usedWorld } from "../support/usage.ts";
import { newKey } from "../support/world.ts";

describe("the instance of a usage report", () => {
  const instancesOf = async (apiKey: string, key: string, said: object, headers = {}) => {
    const evaluations = { [key]: { t: 1, f: 1 } };
    const { reports } = await sendReport(apiKey, { evaluations, ...said }, headers);
    return reports.map(({ instance }) => instance);
  };
  const HEADERS = { "X-App-Name": "head", "X-Instance-Id": "h1", "X-Sdk-Version": "1" };

  it("comes from the body, or from the headers when the body has none", async () => {
    const { apiKey, a } = await usedWorld();
    const of = (said: object, headers = {}) => instancesOf(apiKey, a.key, said, headers);
    expect(await of({ appName: "app", instanceId: "b1" })).toEqual([
      { appName: "app", instanceId: "b1" },
    ]);
    expect(await of({}, HEADERS)).toEqual([{ appName: "head", instanceId: "h1" }]);
    expect(await of({ instanceId: "b1" }, HEADERS)).toEqual([
      { appName: "head", instanceId: "b1" },
    ]);
    expect(await of({ instanceId: "b1" })).toEqual([{ appName: "", instanceId: "b1" }]);
  });

  it("is null without an instance id, or when X-Instance-Id has more than 200 characters", async () => {
    const { apiKey, a } = await usedWorld();
    const of = (said: object, headers = {}) => instancesOf(apiKey, a.key, said, headers);
    expect(await of({ appName: "app" })).toEqual([null]);
    expect(await of({}, { ...HEADERS, "X-Instance-Id": "x".repeat(201) })).toEqual([null]);
    expect(await of({}, { ...HEADERS, "X-Instance-Id": "x".repeat(200) })).toEqual([
      { appName: "head", instanceId: "x".repeat(200) },
    ]);
  });

  it("is null with a FRONTEND key, because browsers could invent any number of instances", async () => {
    const { environmentId, a } = await usedWorld();
    const { apiKey } = await newKey(environmentId, "FRONTEND");
    expect(await instancesOf(apiKey, a.key, { instanceId: "b1" }, HEADERS)).toEqual([null]);
  });
});
