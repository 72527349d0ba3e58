import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { UnavailableError } from "../../../src/core/errors/unavailable-error.ts";
import { openSession, QUERY_TIMEOUT_MS } from "../../../src/platform/bindings/database.ts";
import { outcome } from "../support/outcomes.ts";
import type { Answer, Json } from "../support/client.ts";
import {
  fail,
  type Fault,
  faultyDatabase,
  faultyEnvironment,
  hang,
  slow,
  Switch,
} from "../support/faulty-bindings.ts";
import { ADMIN, adminToken, signIn } from "../support/people.ts";
import { unique } from "../support/world.ts";
import { responseWith } from "../support/call-with.ts";

type World = ReturnType<typeof faultyEnvironment>;

const ask = async ({ env: faultyEnv }: World, method: string, path: string, options: object) =>
  (await responseWith(faultyEnv, method, `/api/v1/${path}`, options)).answer;

const FAULTS: readonly (readonly [string, Fault])[] = [
  ["fail", fail],
  ["hang", hang],
];

const errorAndDelay = (answer: Answer<Json>) => [
  outcome(answer),
  answer.headers.get("Retry-After"),
];
const UNAVAILABLE = ["503 SERVICE_UNAVAILABLE", "5"];

// The tests run concurrently, because each test waits for a timeout of the service.
describe.concurrent("faults of the Durable Object of a session", () => {
  it.each(FAULTS)(
    "logins and refreshes return 503, and access tokens still work, while calls to the Durable Object of a session %s",
    async (_, fault) => {
      const world = faultyEnvironment();
      const { token, refreshToken } = await signIn();
      world.at.REFRESH_FAMILIES.fault = fault;
      const refused = await Promise.all([
        ask(world, "POST", "auth/login", { body: ADMIN }),
        ask(world, "POST", "auth/refresh", { body: { refreshToken } }),
      ]);
      const allowed = await ask(world, "GET", "flags", { token });
      world.heal();
      expect(refused.map(errorAndDelay)).toEqual([UNAVAILABLE, UNAVAILABLE]);
      expect(outcome(allowed)).toBe("200");
      const after = await ask(world, "POST", "auth/refresh", { body: { refreshToken } });
      expect(outcome(after)).toBe("200");
    },
  );
});

describe.concurrent("faults of the Durable Objects that hash passwords", () => {
  it.each(FAULTS)(
    "logins return 503, and refreshes and access tokens still work, while calls to the Durable Objects that hash passwords %s",
    async (_, fault) => {
      const world = faultyEnvironment();
      const { token, refreshToken } = await signIn();
      world.at.PASSWORD_HASHERS.fault = fault;
      const refused = await ask(world, "POST", "auth/login", { body: ADMIN });
      expect(errorAndDelay(refused)).toEqual(UNAVAILABLE);
      const allowed = [
        await ask(world, "GET", "flags", { token }),
        await ask(world, "POST", "auth/refresh", { body: { refreshToken } }),
      ];
      expect(allowed.map(outcome)).toEqual(["200", "200"]);
      world.heal();
      expect(outcome(await ask(world, "POST", "auth/login", { body: ADMIN }))).toBe("200");
    },
  );
});

describe.concurrent("faults of the mail provider", () => {
  it.each(FAULTS)(
    "an invitation reports that no e-mail was sent, and a request for a password reset succeeds, while calls to the mail provider %s",
    async (_, fault) => {
      const world = faultyEnvironment();
      const token = await adminToken();
      world.at.MAIL.fault = fault;
      const body = { email: `${unique("new")}@example.com`, role: "VIEWER" };
      const answer = await ask(world, "POST", "users/invite", { token, body });
      const forgotten = await ask(world, "POST", "auth/forgot-password", {
        body: { email: ADMIN.email },
      });
      expect([outcome(answer), answer.body.invitationSent]).toEqual(["201", false]);
      expect(outcome(forgotten)).toBe("202");
    },
  );
});

describe.concurrent("timeouts of the database", () => {
  it("the management API returns 503 with Retry-After after the timeout of one query while the database hangs", async () => {
    const world = faultyEnvironment();
    const token = await adminToken();
    world.at.DB.fault = hang;
    const answer = await ask(world, "GET", "flags", { token });
    expect(errorAndDelay(answer)).toEqual(UNAVAILABLE);
    expect(world.at.DB.met).toBe(1);
    expect(QUERY_TIMEOUT_MS).toBe(10_000);
  });

  it.each([
    ["hangs", hang],
    ["takes longer than the rest of the time limit", slow(500)],
  ])("a database session throws UnavailableError for a query that %s", async (_, fault) => {
    const at = Object.assign(new Switch(), { fault });
    const session = openSession(
      faultyDatabase(at, at),
      "first-primary",
      (question) => question(),
      () => 50,
    );
    const statement = session.prepare("SELECT 1 AS one");
    await expect(statement.first()).rejects.toThrow(UnavailableError);
    await expect(session.batch([statement])).rejects.toThrow(UnavailableError);
    expect(await env.DB.prepare("SELECT 1 AS one").first()).toEqual({ one: 1 });
  });
});

describe("a database session", () => {
  /** Opens a session whose first `times` queries fail with this error. */
  function failing(message: string, times: number) {
    const error = new Error(`D1_ERROR: ${message}`);
    const at = Object.assign(new Switch(), { fault: { mode: "fail", error, times } as const });
    const observed = { queries: 0 };
    const session = openSession(faultyDatabase(at, at), "first-primary", (query) => {
      observed.queries += 1;
      return query();
    });
    return { session, observed };
  }
  const SELECT = "SELECT 1 AS one";
  const LOST = "Network connection lost.";

  it.each([
    LOST,
    "D1 DB reset because its code was updated.",
    "Internal error in D1 DB storage caused object to be reset.",
  ])("repeats a read once after the error %s", async (message) => {
    const { session, observed } = failing(message, 1);
    expect(await session.prepare(SELECT).first()).toEqual({ one: 1 });
    expect(observed.queries).toBe(2);
  });

  it("repeats a failed batch once if it only reads", async () => {
    const { session } = failing(LOST, 1);
    const [one] = await session.batch([session.prepare(SELECT), session.prepare("select 2 AS n")]);
    expect(one?.results).toEqual([{ one: 1 }]);
  });

  it("throws UnavailableError when the repeated read fails too", async () => {
    const { session, observed } = failing(LOST, 2);
    await expect(session.prepare(SELECT).first()).rejects.toThrow(UnavailableError);
    expect(observed.queries).toBe(2);
  });

  it("does not repeat a read when the database is overloaded", async () => {
    const { session, observed } = failing("D1 DB is overloaded. Too many requests queued.", 1);
    await expect(session.prepare(SELECT).all()).rejects.toThrow(UnavailableError);
    expect(observed.queries).toBe(1);
  });

  it.each([
    "UPDATE settings SET version = version RETURNING 1 AS one",
    "WITH one AS (SELECT 1) DELETE FROM flags WHERE false",
  ])("does not repeat a write: %s", async (sql) => {
    const { session, observed } = failing(LOST, 1);
    await expect(session.prepare(sql).all()).rejects.toThrow(UnavailableError);
    const again = failing(LOST, 1);
    const batch = [again.session.prepare(SELECT), again.session.prepare(sql)];
    await expect(again.session.batch(batch)).rejects.toThrow(UnavailableError);
    expect([observed.queries, again.observed.queries]).toEqual([1, 1]);
  });

  it("ends a repeated read at the timeout of the first", async () => {
    const at = new Switch();
    const error = new Error(LOST);
    let calls = 0;
    at.through = async () => {
      calls += 1;
      if (calls > 1) return new Promise<never>(() => {});
      throw error;
    };
    const timeouts: number[] = [];
    const session = openSession(
      faultyDatabase(at, at),
      "first-primary",
      (query) => query(),
      () => {
        timeouts.push(50);
        return 50;
      },
    );
    await expect(session.prepare(SELECT).first()).rejects.toThrow(UnavailableError);
    expect([calls, timeouts]).toEqual([2, [50]]);
  });
});
