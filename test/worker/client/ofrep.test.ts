import { beforeAll, describe, expect, it } from "vitest";
import { asAdmin } from "../support/outcomes.ts";
import { call, type Json } from "../support/client.ts";
import { inCountries, newFlag, newKey, newWorld, setStrategy } from "../support/world.ts";

const ROOTS = ["/api/ofrep/v1", "/ofrep/v1"];
const FLAGS = "/api/ofrep/v1/evaluate/flags";

let world: Awaited<ReturnType<typeof newWorld>>;

const post = (path: string, context: unknown, headers: Record<string, string> = {}) =>
  call("POST", path, { token: world.apiKey, headers, body: { context } });

const one = (key: string, context: object = {}) => post(`${FLAGS}/${key}`, context);

const resultsOf = (body: Json): Record<string, Json> =>
  Object.fromEntries(body.flags.map(({ key, ...result }: Json) => [key, result]));

beforeAll(async () => {
  world = await newWorld();
  const { projectId, environmentId } = world;
  const create = async (key: string, strategy: object | undefined, more: object = {}) => {
    const flag = await newFlag(projectId, { key, ...more });
    if (strategy) await setStrategy(flag.id, { environmentId, enabled: true, ...strategy });
  };
  const layout = {
    valueType: "json",
    variants: [
      { key: "wide", value: { columns: 3 } },
      { key: "narrow", value: { columns: 1 } },
    ],
  };
  await create("on", {});
  await create("off", undefined);
  await create("only-germany", { constraints: [inCountries("DE")] });
  await create("half", { percentage: 50 });
  await create("a.b_c-d:e", {});
  await create("layout", { serve: { variant: "wide" } }, { ...layout, offVariant: "narrow" });
  await create("layout-off", undefined, layout);
  await create(
    "needs-off",
    { serve: { variant: "wide" } },
    { ...layout, offVariant: "narrow", prerequisites: [{ flagKey: "off" }] },
  );
  await create(
    "by-rule",
    {
      rules: [{ constraints: [inCountries("DE")], serve: { variant: "narrow" } }],
      serve: { variant: "wide" },
    },
    layout,
  );
});

describe("the evaluation of one flag by OFREP", () => {
  it.each([
    ["on", {}, { reason: "STATIC", variant: "on", value: true }],
    ["off", {}, { reason: "DISABLED", variant: "off", value: false }],
    ["only-germany", { country: "DE" }, { reason: "TARGETING_MATCH", variant: "on", value: true }],
    [
      "only-germany",
      { country: "FR" },
      {
        reason: "DEFAULT",
        variant: "off",
        value: false,
        metadata: { detail: "CONSTRAINT_MISMATCH" },
      },
    ],
    ["layout", {}, { reason: "STATIC", variant: "wide", value: { columns: 3 } }],
    ["layout-off", {}, { reason: "DISABLED" }],
    [
      "needs-off",
      {},
      {
        reason: "DEFAULT",
        variant: "narrow",
        value: { columns: 1 },
        metadata: { detail: "PREREQUISITE_FAILED" },
      },
    ],
  ])(
    "returns the value, the variant and the reason of the flag %s for the context %j",
    async (key, context, result) => {
      const { status, body } = await one(key, context);
      expect([status, body]).toEqual([200, { key, ...result }]);
    },
  );

  it("returns the ordered rule that decided", async () => {
    const { body } = await one("by-rule", { country: "DE" });
    expect(body).toEqual({
      key: "by-rule",
      reason: "TARGETING_MATCH",
      variant: "narrow",
      value: { columns: 1 },
      metadata: { rule: expect.stringMatching(/^[a-z0-9]{8,12}$/) as string },
    });
  });

  it("returns 400 TARGETING_KEY_MISSING for a partial roll-out without an id, and the reason SPLIT with one", async () => {
    const { status, body } = await one("half");
    expect([status, body]).toMatchObject([
      400,
      {
        key: "half",
        errorCode: "TARGETING_KEY_MISSING",
        errorDetails: expect.any(String) as string,
      },
    ]);
    expect((await one("half", { targetingKey: "ann" })).body).toMatchObject({ reason: "SPLIT" });
  });

  it("returns 404 FLAG_NOT_FOUND for an unknown flag", async () => {
    const { status, body } = await one("unknown");
    expect([status, body]).toMatchObject([404, { key: "unknown", errorCode: "FLAG_NOT_FOUND" }]);
  });

  it.each(["a.b_c-d:e", "a.b_c-d%3Ae", "%61.b_c-d:e"])(
    "accepts the flag key %s in the path, encoded or not",
    async (key) => {
      expect((await one(key)).body).toMatchObject({ key: "a.b_c-d:e", value: true });
    },
  );
});

describe("the evaluation of all flags by OFREP", () => {
  it("returns an error only for the flags that need an id when the context has none", async () => {
    const { status, body } = await post(FLAGS, {});
    const results = resultsOf(body);
    expect(status).toBe(200);
    expect(body.metadata).toEqual({
      version: expect.stringMatching(/^\d+$/) as string,
      flagSetId: String(world.environmentId),
    });
    expect(results["half"]).toEqual({
      errorCode: "TARGETING_KEY_MISSING",
      errorDetails: expect.any(String) as string,
    });
    const failed = Object.values(results).filter((result) => "errorCode" in result);
    expect([Object.keys(results).length, failed.length]).toEqual([9, 1]);
  });

  it("returns for each flag the result of its own evaluation", async () => {
    const context = { targetingKey: "ann", country: "DE" };
    const { body } = await post(FLAGS, context);
    for (const result of body.flags) expect((await one(result.key, context)).body).toEqual(result);
  });

  it("returns 304 for the ETag of the same context, in any order of its fields", async () => {
    const first = await post(FLAGS, { targetingKey: "ann", plan: "free", nested: { a: 1 } });
    const etag = first.headers.get("ETag") ?? "";
    const again = await post(
      FLAGS,
      { nested: { b: 2 }, plan: "free", targetingKey: "ann" },
      { "If-None-Match": etag },
    );
    expect([again.status, again.body, again.headers.get("ETag")]).toEqual([304, "", etag]);
  });

  it.each([
    ["another value", { targetingKey: "ann", plan: "pro" }],
    ["another type", { targetingKey: "ann", plan: true }],
    ["a field less", { targetingKey: "ann" }],
    ["a field more", { targetingKey: "ann", plan: "free", country: "DE" }],
  ])("returns 200 for the ETag of a context with %s under the same id", async (_, context) => {
    const { headers } = await post(FLAGS, { targetingKey: "ann", plan: "free" });
    const etag = headers.get("ETag") ?? "";
    expect((await post(FLAGS, context, { "If-None-Match": etag })).status).toBe(200);
  });

  it.each<[string, (etag: string) => string, number]>([
    ["weak", (etag) => `W/${etag}`, 304],
    ["in a list", (etag) => `"x", ${etag} , W/"y"`, 304],
    ["*", () => "*", 304],
    ["without quotes", (etag) => etag.slice(1, -1), 200],
    ["cut", (etag) => `${etag.slice(0, -2)}"`, 200],
    ["empty", () => "", 200],
  ])("compares the ETag in If-None-Match as HTTP says: %s", async (_, form, status) => {
    const { headers } = await post(FLAGS, { targetingKey: "ann" });
    const held = form(headers.get("ETag") ?? "");
    const answer = await post(FLAGS, { targetingKey: "ann" }, { "If-None-Match": held });
    expect(answer.status).toBe(status);
  });

  it("ignores fields with the names of JavaScript's own properties", async () => {
    const body = '{"context":{"__proto__":{"country":"DE"},"constructor":"DE","toString":1}}';
    const answer = await call("POST", FLAGS, { token: world.apiKey, body });
    expect(answer.status).toBe(200);
    expect(resultsOf(answer.body)["only-germany"]).toMatchObject({ value: false });
  });

  it("returns 200 for the ETag of a context after a change of a rule", async () => {
    const { projectId, environmentId } = world;
    const flag = await newFlag(projectId, { key: "changing" });
    const { headers } = await post(FLAGS, { targetingKey: "ann" });
    await setStrategy(flag.id, { environmentId, enabled: true });
    const changed = await post(
      FLAGS,
      { targetingKey: "ann" },
      { "If-None-Match": headers.get("ETag") ?? "" },
    );
    expect(resultsOf(changed.body)["changing"]).toMatchObject({ value: true });
    await asAdmin("POST", `/api/v1/flags/${flag.id}/archive`);
    expect(resultsOf((await post(FLAGS, {})).body)).not.toHaveProperty("changing");
  });
});

describe.each(ROOTS)("OFREP under %s", (root) => {
  const paths = [`${root}/evaluate/flags`, `${root}/evaluate/flags/on`];

  it.each(["SERVER", "FRONTEND"] as const)(
    "accepts a key of the type %s in Authorization and in X-API-Key",
    async (type) => {
      const { apiKey } = await newKey(world.environmentId, type);
      for (const path of paths)
        for (const headers of [{ Authorization: `Bearer ${apiKey}` }, { "X-API-Key": apiKey }]) {
          const answer = await call("POST", path, { headers, body: { context: {} } });
          expect(answer.status).toBe(200);
          expect(answer.headers.get("Content-Type")).toBe("application/json");
        }
    },
  );

  it.each([
    ["malformed JSON", "{", "PARSE_ERROR"],
    ["no context", "{}", "INVALID_CONTEXT"],
    ["an array as context", '{"context":[]}', "INVALID_CONTEXT"],
    ["a text as context", '{"context":"ann"}', "INVALID_CONTEXT"],
    ["a body that is no object", "[]", "INVALID_CONTEXT"],
    ["null as body", "null", "INVALID_CONTEXT"],
    ["null as context", '{"context":null}', "INVALID_CONTEXT"],
    ["no body", "", "PARSE_ERROR"],
  ])("returns 400 for %s", async (_, body, errorCode) => {
    for (const path of paths) {
      const answer = await call("POST", path, { token: world.apiKey, body });
      expect([answer.status, answer.body.errorCode]).toEqual([400, errorCode]);
      expect(answer.body.errorDetails).toEqual(expect.any(String));
      expect(answer.body.key).toBe(path.endsWith("/on") ? "on" : undefined);
    }
  });

  it.each(["__proto__", "constructor", "%00", "%ff", "%E0%A4%A", "x".repeat(1000)])(
    "returns 404 FLAG_NOT_FOUND for the flag key %s",
    async (key) => {
      const { status, body } = await post(`${root}/evaluate/flags/${key}`, {});
      expect([status, body.errorCode]).toEqual([404, "FLAG_NOT_FOUND"]);
      expect(body.key).toEqual(expect.any(String));
    },
  );

  it("returns errors in the OFREP format for a missing and for an unknown API key", async () => {
    for (const token of [undefined, "x".repeat(64)])
      for (const path of paths) {
        const answer = await call("POST", path, { token, body: { context: {} } });
        expect([answer.status, answer.body.errorCode]).toEqual([401, "GENERAL"]);
      }
  });

  it("allows pages of other origins to call it, and to read ETag and Retry-After", async () => {
    for (const path of paths) {
      const preflight = await call("OPTIONS", path, {
        headers: {
          Origin: "https://shop.test",
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "authorization,content-type,if-none-match,x-api-key",
        },
      });
      const allowed = preflight.headers.get("Access-Control-Allow-Headers")?.split(",");
      expect(allowed).toEqual(["authorization", "content-type", "if-none-match", "x-api-key"]);
      expect(preflight.headers.get("Access-Control-Allow-Methods")).toContain("POST");
      expect(Number(preflight.headers.get("Access-Control-Max-Age"))).toBeGreaterThan(3600);
      const { headers } = await post(path, {}, { Origin: "https://shop.test" });
      expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
      expect(headers.get("Access-Control-Allow-Credentials")).toBeNull();
      const exposed = headers.get("Access-Control-Expose-Headers");
      for (const name of ["ETag", "Retry-After"]) expect(exposed).toContain(name);
    }
  });
});
