import { describe, expect, it } from "vitest";
import type { UsageReport } from "../../../src/core/usage/message-types.ts";
import { asAdmin } from "../support/outcomes.ts";
import { sendReport } from "../support/queue.ts";
import { rollUp, usedWorld } from "../support/usage.ts";
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

  it("is only the application without an instance id, or when X-Instance-Id has more than 200 characters", async () => {
    const { apiKey, a } = await usedWorld();
    const of = (said: object, headers = {}) => instancesOf(apiKey, a.key, said, headers);
    expect(await of({ appName: "app" })).toEqual([{ appName: "app", instanceId: "" }]);
    expect(await of({}, { ...HEADERS, "X-Instance-Id": "x".repeat(201) })).toEqual([
      { appName: "head", instanceId: "" },
    ]);
    expect(await of({}, { ...HEADERS, "X-Instance-Id": "x".repeat(200) })).toEqual([
      { appName: "head", instanceId: "x".repeat(200) },
    ]);
    expect(await of({})).toEqual([null]);
  });

  it("is only the application with a FRONTEND key, because browsers could invent any number of instances", async () => {
    const { environmentId, a } = await usedWorld();
    const { apiKey } = await newKey(environmentId, "FRONTEND");
    const of = (said: object, headers = {}) => instancesOf(apiKey, a.key, said, headers);
    expect(await of({ instanceId: "b1" }, HEADERS)).toEqual([{ appName: "head", instanceId: "" }]);
    expect(await of({ instanceId: "b1" })).toEqual([null]);
  });
});

describe("the application name of usage reports with a FRONTEND key", () => {
  /** Reports one evaluation of the flag for each application, and rolls all reports up at once. */
  async function report(world: Awaited<ReturnType<typeof usedWorld>>, apps: readonly string[]) {
    const { apiKey } = await newKey(world.environmentId, "FRONTEND");
    const messages: UsageReport[] = [];
    for (const appName of apps) {
      const evaluations = { [world.a.key]: { t: 1, f: 0 } };
      messages.push(...(await sendReport(apiKey, { evaluations, appName })).reports);
    }
    await rollUp(messages);
  }
  const countOf = async ({ a }: Awaited<ReturnType<typeof usedWorld>>, appName: string) => {
    const path = `/api/v1/flags/${a.id}/metrics?appName=${appName}`;
    return (await asAdmin("GET", path)).body.totals.t;
  };

  it("filters the metrics of a flag", async () => {
    const world = await usedWorld();
    await report(world, ["browser", "browser", "kiosk"]);
    const counts = [await countOf(world, "browser"), await countOf(world, "kiosk")];
    expect([...counts, await countOf(world, "shop")]).toEqual([2, 1, 0]);
  });

  it("is kept for 50 applications of an environment, and counts as `other` for further ones", async () => {
    const world = await usedWorld();
    const names = (start: number, count: number) =>
      Array.from({ length: count }, (_, n) => `app-${String(start + n).padStart(3, "0")}`);
    await report(world, names(100, 49));
    await report(world, [...names(0, 30), "other"]);
    await report(world, [...names(100, 49), ...names(0, 30)]);
    expect(await countOf(world, "app-100")).toBe(2);
    expect(await countOf(world, "app-148")).toBe(2);
    // One of the 30 later names takes the last place. The others count as `other`.
    expect([await countOf(world, "app-000"), await countOf(world, "app-001")]).toEqual([2, 0]);
    expect(await countOf(world, "other")).toBe(59);
    // Another environment has 50 places of its own.
    const second = await usedWorld();
    await report(second, ["app-001"]);
    expect(await countOf(second, "app-001")).toBe(1);
  });

  it("of an instance with a SERVER key is kept, however many applications the environment has", async () => {
    const world = await usedWorld();
    await report(
      world,
      Array.from({ length: 51 }, (_, n) => `app-${n}`),
    );
    const evaluations = { [world.a.key]: { t: 1, f: 0 } };
    const said = { evaluations, appName: "backend", instanceId: "one" };
    await rollUp((await sendReport(world.apiKey, said)).reports);
    expect(await countOf(world, "backend")).toBe(1);
  });
});
