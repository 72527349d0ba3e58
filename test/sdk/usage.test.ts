import { describe, expect, it } from "vitest";
import type { FakeService } from "./support/fake-service.ts";
import { closeAll, start } from "./support/start.ts";

closeAll();

function withFlags(service: FakeService): void {
  service.set("flag");
  service.set("off", { enabled: false });
  service.set("colour", {}, { valueType: "string", variants: [{ key: "red", value: "#f00" }] });
}

const IDENTITY = { appName: "web-shop", instanceId: "web-shop-1" };

describe("a client of the SDK", () => {
  it("reports the checks of a minute by flag and variant, with its application name and revision", async () => {
    const { client, service, clock } = start(IDENTITY, withFlags);
    await client.ready();
    client.boolean("flag", false);
    client.details("flag", false);
    client.boolean("off", true);
    client.string("colour", "none");
    client.boolean("archived", false);
    client.all();
    await clock.advance(60_000);
    expect(service.reports).toEqual([
      {
        evaluations: {
          flag: { t: 2, f: 0 },
          off: { t: 0, f: 1 },
          colour: { t: 1, f: 0, v: { red: 1 } },
          archived: { t: 0, f: 1 },
        },
        ...IDENTITY,
        sdkVersion: expect.stringMatching(/^feature-flags-js:\d+\.\d+\.\d+$/),
        revision: 3,
      },
    ]);
    await clock.advance(300_000);
    expect(service.reports).toHaveLength(1);
  });

  it.each([
    ["sends its application name", "web-shop", "web-shop"],
    ["omits an application name that is not ASCII", "Läden", null],
  ])("%s, and sends its instance id and features, with every request", async (_, appName, sent) => {
    const { service, clock } = start({ ...IDENTITY, appName }, withFlags);
    await clock.advance(0);
    expect(service.count("stream")).toBe(1);
    for (const headers of service.headers) {
      expect(headers.get("X-Instance-Id")).toBe("web-shop-1");
      expect(headers.get("X-Sdk-Features")).toBe("rules");
      expect(headers.get("X-App-Name")).toBe(sent);
    }
  });

  it("sends one small report for a million checks", async () => {
    const { client, service, clock } = start({}, withFlags);
    await client.ready();
    for (let n = 0; n < 1_000_000; n++) client.boolean("flag", false);
    await clock.advance(600_000);
    expect(service.reports.map(({ evaluations }) => evaluations)).toEqual([
      { flag: { t: 1_000_000, f: 0 } },
    ]);
  });

  it.each(["down", "hanging", "html", 307, 429, 500, 503] as const)(
    "adds the counts of a report that fails (%s) to the next one",
    async (trouble) => {
      const { client, service, clock } = start({}, withFlags);
      await client.ready();
      client.string("colour", "none");
      service.troubles.metrics = trouble;
      await clock.advance(75_000);
      expect(service.count("metrics")).toBe(1);
      expect(service.reports).toEqual([]);
      client.string("colour", "none");
      client.boolean("flag", false);
      delete service.troubles.metrics;
      await clock.advance(75_000);
      expect(service.reports.map(({ evaluations }) => evaluations)).toEqual([
        { colour: { t: 2, f: 0, v: { red: 2 } }, flag: { t: 1, f: 0 } },
      ]);
    },
  );

  it.each([
    ["5 minutes with an open stream", {}, undefined, 300],
    ["the time that the service demands with an open stream", {}, "120", 120],
    ["at most an hour with an open stream", {}, "999999", 3_600],
    ["5 minutes if the demand is malformed", {}, "soon", 300],
    ["a minute while it polls", { updates: "poll" }, "300", 60],
    ["the interval that the program has chosen", { reportInterval: 90_000 }, "300", 90],
  ] as const)("waits %s after a report", async (_, options, demanded, seconds) => {
    const { client, service, clock } = start(options, withFlags);
    await client.ready();
    service.reportInterval = demanded;
    client.boolean("flag", false);
    await clock.advance(90_000);
    expect(service.count("metrics")).toBe(1);
    const rest = seconds * 1_000 - (90_000 - ("reportInterval" in options ? 90_000 : 60_000));
    client.boolean("flag", false);
    await clock.advance(rest - 1_000);
    expect(service.count("metrics")).toBe(1);
    await clock.advance(1_000);
    expect(service.count("metrics")).toBe(2);
  });

  it("tries again a minute after a report has failed, even with an open stream", async () => {
    const { client, service, clock } = start({}, withFlags);
    await client.ready();
    client.boolean("flag", false);
    await clock.advance(60_000);
    service.troubles.metrics = 503;
    client.boolean("flag", false);
    await clock.advance(300_000);
    expect(service.count("metrics")).toBe(2);
    delete service.troubles.metrics;
    await clock.advance(60_000);
    expect(service.reports).toHaveLength(2);
  });

  it("drops a report that the service does not accept, and reports the error", async () => {
    const { client, service, clock, events } = start({}, withFlags);
    await client.ready();
    client.boolean("flag", false);
    service.troubles.metrics = 400;
    await clock.advance(75_000);
    delete service.troubles.metrics;
    await clock.advance(300_000);
    expect(service.count("metrics")).toBe(1);
    expect(events).toEqual(["ready", "error: USAGE_REJECTED"]);
  });

  it("sends the counts when it is closed, including the counts of a report that is being sent", async () => {
    const { client, service, clock } = start({}, withFlags);
    await client.ready();
    client.boolean("flag", false);
    const flushed = client.flush();
    client.boolean("off", false);
    const closed = client.close();
    await clock.advance(0);
    expect(await flushed).toBe(true);
    await closed;
    expect(service.reports.map(({ evaluations }) => evaluations)).toEqual([
      { flag: { t: 1, f: 0 } },
      { off: { t: 0, f: 1 } },
    ]);
    await client.close();
  });

  it.each(["down", 503] as const)(
    "sends the counts when it is closed while the first attempt fails (%s)",
    async (trouble) => {
      const { client, service, clock } = start({}, withFlags);
      await client.ready();
      client.boolean("flag", false);
      service.troubles.metrics = trouble;
      const closed = client.close();
      await clock.advance(100);
      expect(service.count("metrics")).toBe(1);
      delete service.troubles.metrics;
      await clock.advance(2_000);
      await closed;
      expect(service.reports.map(({ evaluations }) => evaluations)).toEqual([
        { flag: { t: 1, f: 0 } },
      ]);
      expect(clock.size).toBe(0);
    },
  );

  it("sends the counts with a backoff after failures, until the timeout of close", async () => {
    const { client, service, clock } = start({}, withFlags);
    await client.ready();
    client.boolean("flag", false);
    service.troubles.metrics = 503;
    const closed = client.close({ timeout: 5_000 });
    await clock.advance(2_000);
    expect(service.count("metrics")).toBe(2);
    await clock.advance(3_000);
    await closed;
    // Expects attempts after 0.75 s and after 1.5 s more. The next delay, 3 s, would end too late.
    expect(service.count("metrics")).toBe(3);
  });

  it.each([
    ["refuses the key", 401, undefined],
    ["demands a longer delay than close has", 503, "60"],
    ["does not accept the report", 400, undefined],
  ])(
    "makes only one attempt when it is closed and the service %s",
    async (_, status, retryAfter) => {
      const { client, service, clock } = start({}, withFlags);
      await client.ready();
      client.boolean("flag", false);
      service.troubles.metrics = status;
      service.retryAfter = retryAfter;
      const closed = client.close();
      await clock.advance(0);
      await closed;
      expect(service.count("metrics")).toBe(1);
    },
  );

  it("counts a limited number of flags, and reports when there are more", async () => {
    const { client, service, clock, events } = start({ maxCountedFlags: 10 }, withFlags);
    await client.ready();
    for (let n = 0; n < 1_000; n++) client.boolean(`unknown-${n}`, false);
    client.boolean("flag", false);
    client.boolean("x".repeat(1_000), false);
    await clock.advance(60_000);
    expect(events).toEqual(["ready", "error: USAGE_OVERFLOW"]);
    const { evaluations = {} } = service.reports[0] ?? {};
    expect(Object.keys(evaluations)).toHaveLength(8);
    expect(evaluations["flag"]).toEqual({ t: 1, f: 0 });
    await clock.advance(300_000);
    client.boolean("another", false);
    await clock.advance(300_000);
    expect(service.reports[1]?.evaluations).toEqual({ another: { t: 0, f: 1 } });
  });

  it("counts 10,000 flags by default, as many as the service accepts in a report", async () => {
    const { client, events } = start({}, withFlags);
    await client.ready();
    // The rules have three more.
    for (let n = 0; n < 9_997; n++) client.boolean(`unknown-${n}`, false);
    expect(events).toEqual(["ready"]);
    client.boolean("one too many", false);
    expect(events).toEqual(["ready", "error: USAGE_OVERFLOW"]);
  });

  it("sends counts of very many flags in several reports", async () => {
    const { client, service, clock } = start({}, withFlags);
    await client.ready();
    const keys = Array.from({ length: 9_000 }, (_, n) => `${"k".repeat(120)}${n}`);
    for (const key of keys) client.boolean(key, false);
    await clock.advance(60_000);
    expect(service.reports.length).toBeGreaterThan(1);
    for (const report of service.reports)
      expect(JSON.stringify(report).length).toBeLessThan(300_000);
    const reported = service.reports.flatMap(({ evaluations }) => Object.keys(evaluations));
    expect(new Set(reported)).toEqual(new Set(keys));
  });

  it("keeps the counts of a flag when its rule changes, and when the flag is deleted", async () => {
    const { client, service, clock } = start({}, withFlags);
    await clock.advance(0);
    client.boolean("flag", false);
    service.set("flag", { percentage: 0 });
    await clock.advance(0);
    client.boolean("flag", false, { targetingKey: "ann" });
    service.delete("flag");
    await clock.advance(60_000);
    expect(service.reports[0]?.evaluations).toEqual({ flag: { t: 1, f: 1 } });
  });

  it("sends no reports with `reportUsage: false`", async () => {
    const { client, service, clock, events } = start(
      { updates: "poll", reportUsage: false, maxCountedFlags: 10 },
      withFlags,
    );
    await client.ready();
    client.boolean("flag", false);
    for (let n = 0; n < 1_000; n++) client.boolean(`unknown-${n}`, false);
    expect(await client.flush()).toBe(false);
    await clock.advance(300_000);
    await client.close();
    expect(service.count("metrics")).toBe(0);
    expect(events).toEqual(["ready"]);
  });
});
