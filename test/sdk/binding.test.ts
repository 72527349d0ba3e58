import { beforeEach, describe, expect, it } from "vitest";
import {
  type BindingClient,
  createBindingClient,
  type FlagsBinding,
  type ReportAnswer,
  type RulesAnswer,
  type RulesRequest,
} from "@feature-flags/sdk/binding";
import { FakeTimers } from "./support/fake-timers.ts";

const encoder = new TextEncoder();

/** How the service behaves: it answers at once, never, or with an error. */
type Mode = "up" | "hangs" | "down";

/** A service with one flag, `flag`, which is on in odd revisions. */
class FakeBinding {
  mode: Mode = "up";
  revision = 1;
  readonly asked: RulesRequest[] = [];
  readonly reports: unknown[] = [];

  readonly rules = (request: RulesRequest = {}): Promise<RulesAnswer> => {
    this.asked.push(request);
    return this.#answer(() => {
      const { revision } = this;
      const etag = `"${revision}"`;
      const activation = { rollOut: 100, constraints: [], segments: [] };
      const rule = { key: "flag", name: "flag", enabled: revision % 2 === 1, activation };
      const isHeld = request.etag === etag;
      return {
        kind: isHeld ? "unchanged" : "full",
        rules: encoder.encode(isHeld ? "" : JSON.stringify([rule])),
        revision,
        etag,
        nextSince: "2026-01-01T00:00:00.000Z",
        isStale: false,
      };
    });
  };

  readonly report = (given: unknown): Promise<ReportAnswer> =>
    this.#answer(() => {
      this.reports.push(given);
      return { kind: "accepted" };
    });

  #answer<T>(make: () => T): Promise<T> {
    if (this.mode === "down") return Promise.reject(new Error("the service is down"));
    return this.mode === "hangs" ? new Promise(() => {}) : Promise.resolve().then(make);
  }
}

describe("a client with a service binding", () => {
  let clock: FakeTimers;
  let service: FakeBinding;
  let client: BindingClient;
  let background: Promise<unknown>[];
  let errors: string[];

  beforeEach(() => {
    clock = new FakeTimers();
    service = new FakeBinding();
    background = [];
    errors = [];
    client = createBindingClient({
      binding: service as unknown as FlagsBinding,
      environment: 12,
      clock,
      logger: { warn: () => {}, error: (message) => errors.push(message) },
    });
  });

  const context = { waitUntil: (work: Promise<unknown>) => void background.push(work) };
  const isOn = () => client.boolean("flag", false);

  /** Simulates a request: waits for the client, and returns whether the flag is on. */
  async function request(): Promise<boolean> {
    await client.ready(context);
    return isOn();
  }

  it("loads the rules once, and then asks for newer rules at most once a second, after the Worker has responded", async () => {
    expect(await request()).toBe(true);
    expect(await request()).toBe(true);
    expect(service.asked).toHaveLength(1);
    service.revision = 2;
    await clock.advance(999);
    expect(await request()).toBe(true);
    expect(service.asked).toHaveLength(1);
    await clock.advance(1);
    // Sends a request that begins the call and does not wait for it.
    expect(await request()).toBe(true);
    expect(service.asked).toHaveLength(2);
    expect(service.asked[1]).toMatchObject({ environment: 12, etag: `"1"`, minRevision: 1 });
    await Promise.all(background);
    expect(await request()).toBe(false);
  });

  it("waits for the service when the rules are older than 30 seconds", async () => {
    await request();
    service.revision = 2;
    await clock.advance(30_000);
    expect(await request()).toBe(false);
  });

  it("asks for changes and reports usage at the usual times after the clock was set back", async () => {
    await request();
    await clock.advance(10_000);
    await request();
    await Promise.all(background);
    const { length } = service.reports;
    clock.shift(-6 * 3_600_000);
    service.revision = 2;
    expect(await request()).toBe(true);
    await Promise.all(background);
    expect(await request()).toBe(false);
    await clock.advance(10_000);
    await request();
    await Promise.all(background);
    expect(service.reports.length).toBeGreaterThan(length);
  });

  it("loads the rules when the clock was set back while another request's call hangs", async () => {
    await request();
    service.mode = "hangs";
    await clock.advance(1_000);
    await request();
    clock.shift(-6 * 3_600_000);
    service.mode = "up";
    service.revision = 2;
    await request();
    await Promise.all(background.slice(-1));
    expect(isOn()).toBe(false);
  });

  it("never waits while the service hangs, and asks again after the timeout", async () => {
    await request();
    service.mode = "hangs";
    for (let second = 0; second < 20; second++) {
      await clock.advance(1_000);
      expect(await request()).toBe(true);
    }
    // Allows 5 calls: each call takes 5 seconds, and the next call begins a second later.
    expect(service.asked.length).toBeLessThanOrEqual(5);
    expect(client.status).toMatchObject({ state: "stale", error: { code: "TIMEOUT" } });
    service.mode = "up";
    service.revision = 2;
    await clock.advance(10_000);
    await request();
    await Promise.all(background);
    await clock.advance(1_000);
    await request();
    await Promise.all(background);
    expect(isOn()).toBe(false);
    expect(client.status).toMatchObject({ state: "ready", revision: 2, error: undefined });
  });

  it("serves the last rules while the service is down, and reports only one error", async () => {
    await request();
    service.mode = "down";
    for (let minute = 0; minute < 5; minute++) {
      await clock.advance(60_000);
      expect(await request()).toBe(true);
      expect(client.status.state).toBe("stale");
    }
    expect(errors).toEqual([expect.stringContaining("the service is down")]);
  });

  it("rejects ready without rules, returns the defaults, and asks at most once a second", async () => {
    service.mode = "down";
    for (let n = 0; n < 10; n++)
      await expect(request()).rejects.toMatchObject({ code: "UNREACHABLE" });
    expect(service.asked).toHaveLength(1);
    expect(client.details("flag", true)).toMatchObject({ value: true, errorCode: "NOT_READY" });
    service.mode = "up";
    await clock.advance(1_000);
    expect(await request()).toBe(true);
  });

  it("loads the rules in another request when the first request ends before the answer", async () => {
    let isCanceled = true;
    const setTimeout = (work: () => void, ms: number) =>
      isCanceled ? undefined : clock.setTimeout(work, ms);
    client = createBindingClient({
      binding: service as unknown as FlagsBinding,
      clock: { now: clock.now, setTimeout, clearTimeout: clock.clearTimeout },
    });
    // Begins a request that the runtime cancels: it gets no answer, and its timers do not fire.
    service.mode = "hangs";
    void request();
    isCanceled = false;
    service.mode = "up";
    const second = request();
    await clock.advance(6_000);
    expect(await second).toBe(true);
    expect(service.asked).toHaveLength(2);
  });

  it("keeps newer rules when an isolate of the service answers with older rules", async () => {
    service.revision = 3;
    await request();
    service.revision = 2;
    await clock.advance(30_000);
    expect(await request()).toBe(true);
    expect(client.status).toMatchObject({ state: "stale", revision: 3 });
    // Advances the clock by 10 minutes, after which the client accepts that the revisions began
    // again.
    await clock.advance(600_000);
    expect(await request()).toBe(false);
    expect(client.status).toMatchObject({ state: "ready", revision: 2 });
  });

  it("asks for all rules when a delta was made for other rules, as after a restored database", async () => {
    const { rules } = service;
    let isRestored = false;
    const answered: string[] = [];
    const binding = {
      report: service.report,
      rules: async (asked: RulesRequest) => {
        const answer = await rules(asked);
        if (answer.kind === "failed") return answer;
        const kind = isRestored && asked.since !== undefined ? "partial" : answer.kind;
        answered.push(kind);
        return { ...answer, kind, digest: isRestored ? "2" : "1" } as RulesAnswer;
      },
    };
    client = createBindingClient({ binding: binding as unknown as FlagsBinding, clock });
    await request();
    service.revision = 2;
    isRestored = true;
    await clock.advance(30_000);
    expect(await request()).toBe(false);
    expect(answered).toEqual(["full", "partial", "full"]);
    expect(service.asked.map(({ etag }) => etag)).toEqual([undefined, `"1"`, undefined]);
    expect(client.status).toMatchObject({ state: "ready", revision: 2 });
  });

  it("returns the default for a key that is not a text", async () => {
    await request();
    for (const key of [undefined, null, 5] as unknown as string[]) {
      expect(client.boolean(key, true)).toBe(true);
      expect(client.details(key, "x")).toMatchObject({ value: "x", errorCode: "FLAG_NOT_FOUND" });
    }
  });

  it("sends no reports with `reportUsage: false`", async () => {
    const binding = service as unknown as FlagsBinding;
    client = createBindingClient({ binding, clock, reportUsage: false });
    await request();
    await clock.advance(60_000);
    await request();
    expect(await client.flush()).toBe(false);
    await Promise.all(background);
    expect(service.reports).toEqual([]);
  });

  it("works as usual when the logger throws", async () => {
    const error = () => {
      throw new Error("no log");
    };
    const binding = service as unknown as FlagsBinding;
    client = createBindingClient({ binding, clock, logger: { warn: error, error } });
    await request();
    service.mode = "down";
    await clock.advance(60_000);
    expect(await request()).toBe(true);
    await Promise.all(background);
    expect(client.status).toMatchObject({ state: "stale", error: { code: "UNREACHABLE" } });
  });

  it("reports the counts every 10 seconds, and adds the counts of a failed report to the next report", async () => {
    const until = async (ms: number) => {
      await clock.advance(ms);
      await request();
      await Promise.all(background);
    };
    await request();
    await until(9_999);
    expect(service.reports).toEqual([]);
    service.mode = "down";
    await until(1);
    service.mode = "up";
    await until(10_000);
    const caller = { appName: undefined, instanceId: "worker" };
    expect(service.reports).toMatchObject([
      { environment: 12, evaluations: { flag: { t: 3, f: 0 } }, caller, revision: 1 },
    ]);
  });
});
