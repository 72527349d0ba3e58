import { describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import {
  fail,
  faultyEnvironment,
  garbage,
  hang,
  loseAnswer,
  MALFORMED,
} from "../support/faulty-bindings.ts";
import { adminToken } from "../support/people.ts";
import { receiver } from "../support/receiver.ts";
import { rows } from "../support/records.ts";
import { newProject, newSubscriber, unique } from "../support/world.ts";
import { responseWith } from "../support/call-with.ts";

const UNAVAILABLE = "503 SERVICE_UNAVAILABLE";
const world = faultyEnvironment();

async function ask(method: string, path: string, body?: unknown) {
  const token = await adminToken();
  return (await responseWith(world.env, method, `/api/v1/${path}`, { token, body })).answer;
}

/** Returns the number of rows with this flag key in each of the tables flags, audit and outbox. */
const tracesOf = async (key: string) => [
  (await rows("SELECT 1 FROM flags WHERE key = ?", key)).length,
  (await rows("SELECT 1 FROM audit WHERE after ->> 'key' = ?", key)).length,
  (await rows("SELECT 1 FROM outbox WHERE data ->> '$.flag.key' = ?", key)).length,
];

async function subscribedProject(): Promise<number> {
  const { id } = await newProject();
  receiver();
  await newSubscriber(id);
  return id;
}

const flagOf = (projectId: number) => ({
  key: unique("flag"),
  name: "A flag",
  flagType: "RELEASE",
  projectId,
});

describe("the management API returns 503 with Retry-After", () => {
  it.each([
    ["fails", "D1_ERROR: internal error"],
    ["is overloaded", "D1_ERROR: D1 DB is overloaded. Too many requests queued."],
    ["cannot be reached", "D1_ERROR: Network connection lost."],
    ["is starting", "D1_ERROR: D1 DB reset because its code was updated."],
  ])("when the database %s", async (_, message) => {
    world.at.DB.fault = { mode: "fail", error: new Error(message) };
    const answers = [await ask("GET", "flags"), await ask("POST", "flags", flagOf(1))];
    world.heal();
    expect(answers.map(outcome)).toEqual([UNAVAILABLE, UNAVAILABLE]);
    expect(answers.map(({ headers }) => headers.get("Retry-After"))).toEqual(["5", "5"]);
  });

  // An empty list is not in this test, because an empty list is a valid result of a query.
  const { "an empty list": _, ...malformed } = MALFORMED;
  it.each(Object.entries(malformed))("when the database returns %s", async (_name, value) => {
    Object.assign(world.at.DB, { fault: garbage(value) });
    Object.assign(world.at.BATCHES, { fault: garbage(value) });
    const answers = [await ask("GET", "flags"), await ask("POST", "flags", flagOf(1))];
    world.heal();
    expect(answers.map(outcome)).toEqual([UNAVAILABLE, UNAVAILABLE]);
  });
});

describe("a transient error of one database query", () => {
  const lost = new Error("D1_ERROR: Network connection lost.");
  /** Calls the management API while the first query fails, and counts the failed queries. */
  async function askOnce(at: "DB" | "BATCHES", method: string, path: string, body?: object) {
    await adminToken();
    Object.assign(world.at[at], { met: 0, fault: { mode: "fail", error: lost, times: 1 } });
    const answer = await ask(method, path, body);
    const { met } = world.at[at];
    world.heal();
    return { answer, met };
  }

  it("is hidden from the caller of a GET, because the service repeats the query", async () => {
    const { answer, met } = await askOnce("DB", "GET", "flags");
    expect([outcome(answer), met]).toEqual(["200", 1]);
  });

  it("makes a write return 503 with Retry-After, because the service does not repeat it", async () => {
    const { id: projectId } = await newProject();
    const body = flagOf(projectId);
    const { answer, met } = await askOnce("BATCHES", "POST", "flags", body);
    expect([outcome(answer), met]).toEqual([UNAVAILABLE, 1]);
    expect(answer.headers.get("Retry-After")).toBe("5");
    expect(await tracesOf(body.key)).toEqual([0, 0, 0]);
  });
});

describe("the creation of a flag", () => {
  it("leaves no rows when its transaction fails, and succeeds when it is repeated", async () => {
    const projectId = await subscribedProject();
    const body = flagOf(projectId);
    world.at.BATCHES.fault = fail;
    const answer = await ask("POST", "flags", body);
    world.heal();
    expect([outcome(answer), await tracesOf(body.key)]).toEqual([UNAVAILABLE, [0, 0, 0]]);
    expect(answer.body.error).toContain("may have been saved");
    expect(outcome(await ask("POST", "flags", body))).toBe("201");
  });

  it.each([
    ["is lost", loseAnswer],
    ["is malformed", garbage("<html>")],
  ])(
    "is committed when the response of the database %s, and the error says that the change may have been saved",
    async (_, fault) => {
      const projectId = await subscribedProject();
      const body = flagOf(projectId);
      world.at.BATCHES.fault = fault;
      const answer = await ask("POST", "flags", body);
      world.heal();
      expect([outcome(answer), await tracesOf(body.key)]).toEqual([UNAVAILABLE, [1, 1, 1]]);
      expect(answer.body.error).toContain("may have been saved");
      expect(outcome(await ask("POST", "flags", body))).toBe("409 CONFLICT");
    },
  );

  it.each([fail, hang])(
    "succeeds while KV, the webhook queue and the metrics shards $mode",
    async (fault) => {
      const projectId = await subscribedProject();
      world.at.EDGE.fault = world.at.WEBHOOKS.fault = world.at.METRICS.fault = fault;
      const { key, ...body } = flagOf(projectId);
      expect(outcome(await ask("POST", "flags", { key, ...body }))).toBe("201");
      world.heal();
      expect(await tracesOf(key)).toEqual([1, 1, 1]);
    },
  );
});
