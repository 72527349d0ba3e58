import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { wholeDatabase } from "../support/records.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { inCountries, newKey, setStrategy } from "../support/world.ts";
import { type Caller, HOLDERS, PEOPLE, TOKENS } from "./callers.ts";
import { everything, type Known } from "./known.ts";
import { personAs, tokenAs } from "./people.ts";
import { type Effect, PROTECTED } from "./protected.ts";
import { isForClients, properly, type Route, titled } from "./route.ts";
import { ROUTES } from "./routes.ts";

const WRITES = ROUTES.filter(
  ({ method, path }) => method !== "GET" && path.startsWith("/api/v1/") && !isForClients(path),
);
/** The write routes with an effect, each called as `PROTECTED` says. */
const having = (effect: Effect) =>
  WRITES.filter(({ name }) => PROTECTED[name]?.effect === effect).map((route) => {
    const { ids = route.ids, body = route.body } = PROTECTED[route.name] ?? {};
    return Object.assign({}, route, ids && { ids }, body && { body });
  });

let known: Known;
const tokens = {} as Record<Caller, string>;

/** Protects the environment, after its flags are on there and one of them uses a segment. */
beforeAll(async () => {
  known = await everything();
  const { environmentId, flagId, segmentId } = known;
  await setStrategy(flagId, { environmentId, enabled: true, segmentIds: [segmentId] });
  const constraints = [inCountries("at")];
  await asAdmin("PUT", `/api/v1/segments/${segmentId}`, { constraints });
  await asAdmin("POST", `/api/v1/flags/${known.reverted.flagId}/archive`);
  for (const caller of PEOPLE) tokens[caller] = (await personAs(caller, [known.projectId])).token;
  for (const caller of TOKENS) tokens[caller] = await tokenAs(caller, known.projectId);
  // Without a recent use, the service records the use of a token after the response.
  await env.DB.prepare("UPDATE access_tokens SET last_used_at = ?")
    .bind(Date.now() + DAY_MS)
    .run();
  tokens.SERVER = (await newKey(environmentId, "SERVER")).apiKey;
  const path = `/api/v1/environments/${environmentId}/protection`;
  await asAdmin("PUT", path, { requiredApprovals: 1 });
});

const revision = () =>
  env.DB.prepare("SELECT revision FROM environments WHERE id = ?")
    .bind(known.environmentId)
    .first("revision");

it("every write route says what it does in a protected environment", () => {
  expect(Object.keys(PROTECTED).toSorted()).toEqual(WRITES.map(({ name }) => name).toSorted());
});

describe.each(titled(having("restricted")))("in a protected environment, %s", (_, route: Route) => {
  const holders = route.permission === null ? [] : HOLDERS[route.permission];

  it.each(holders)("is 409 for the caller %s, and writes nothing", async (caller) => {
    const [method, path, options] = properly(route, known);
    const before = await wholeDatabase();
    const answer = await call(method, path, { ...options, token: tokens[caller] });
    expect(outcome(answer)).toBe("409 APPROVAL_REQUIRED");
    expect(await wholeDatabase()).toEqual(before);
  });

  it("is 403 for a developer, and 400 for an administrator without a reason, who ask to bypass the approval", async () => {
    const [method, path, options] = properly(route, known);
    const headers = { ...options.headers, "X-Approval-Bypass": "true" };
    const answers = [
      await call(method, path, { ...options, token: tokens.DEVELOPER, headers }),
      await call(method, path, { ...options, headers }),
    ];
    expect(answers.map(outcome)).toEqual(["403 FORBIDDEN", "400 BAD_REQUEST"]);
  });
});

it.each(titled(having("restricted")))(
  "an administrator with a reason bypasses the approval: %s",
  async (_, route) => {
    const [method, target, options] = properly(route, known);
    const bypass = { "X-Approval-Bypass": "true", "X-Change-Reason": "An incident" };
    const headers = { ...options.headers, ...bypass };
    expect(outcome(await call(method, target, { ...options, headers }))).toMatch(/^2/);
  },
);

it.each(titled([...having("exempt"), ...having("turn-off")]))(
  "in a protected environment, %s needs no approval",
  async (_, route) => {
    const answer = await call(...properly(route, known));
    expect(outcome(answer)).toMatch(/^2/);
  },
);

it.each(titled(having("elsewhere")))(
  "%s changes no rules of a protected environment",
  async (_, route) => {
    const before = await revision();
    const answer = await call(...properly(route, known));
    expect(outcome(answer)).toMatch(/^2/);
    expect(await revision()).toBe(before);
  },
);
