import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { UnavailableError } from "../../../src/core/errors/unavailable-error.ts";
import { openSession } from "../../../src/platform/database.ts";
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
describe.concurrent("while the Durable Object of a session", () => {
  it.each(FAULTS)(
    "%ss, the service returns 503 for logins and refreshes, and still accepts access tokens",
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
    15_000,
  );
});

describe.concurrent("while the mail provider", () => {
  it.each(FAULTS)(
    "%ss, an invitation reports that no e-mail was sent, and a request for a password reset succeeds",
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
    15_000,
  );
});

describe.concurrent("while the database hangs or is slow", () => {
  it("the management API returns 503 with Retry-After within 12 seconds", async () => {
    const world = faultyEnvironment();
    const token = await adminToken();
    world.at.DB.fault = hang;
    const began = Date.now();
    const answer = await ask(world, "GET", "flags", { token });
    expect(errorAndDelay(answer)).toEqual(UNAVAILABLE);
    expect(Date.now() - began).toBeLessThan(12_000);
  }, 15_000);

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
