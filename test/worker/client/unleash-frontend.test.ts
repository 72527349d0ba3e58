import { beforeAll, describe, expect, it } from "vitest";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { call, type CallOptions, type Json } from "../support/client.ts";
import { callWith } from "../support/call-with.ts";
import { inCountries, newFlag, newKey, newWorld, setStrategy } from "../support/world.ts";

const PATH = "/api/unleash/frontend";

let world: Awaited<ReturnType<typeof newWorld>>;
let frontendKey: string;

const byQuery = (query: string, options: CallOptions = {}) =>
  call("GET", `${PATH}?${query}`, { token: frontendKey, ...options });

const byBody = (context: object, headers: Record<string, string> = {}) =>
  call("POST", PATH, { token: frontendKey, headers, body: { context } });

const togglesIn = ({ body }: { body: Json }): Record<string, Json> =>
  Object.fromEntries(body.toggles.map(({ name, ...toggle }: Json) => [name, toggle]));

const NO_VARIANT = { name: "disabled", enabled: false, feature_enabled: true };

beforeAll(async () => {
  world = await newWorld();
  const { projectId, environmentId } = world;
  frontendKey = (await newKey(environmentId, "FRONTEND")).apiKey;
  const create = async (key: string, strategy: object | undefined, more: object = {}) => {
    const flag = await newFlag(projectId, { key, ...more });
    if (strategy) await setStrategy(flag.id, { environmentId, enabled: true, ...strategy });
  };
  const layout = {
    valueType: "json",
    variants: [
      { key: "wide", value: { columns: 3, title: 'a "wide" page' } },
      { key: "narrow", value: { columns: 1 } },
    ],
  };
  const text = (...keys: string[]) => ({
    valueType: "string",
    variants: keys.map((key) => ({ key, value: `${key} "text"` })),
  });
  await create("on", {});
  await create("off", undefined);
  await create("only-germany", { constraints: [inCountries("DE")] });
  await create("half", { percentage: 50, hashKey: "group" });
  await create("layout", { serve: { variant: "wide" } }, layout);
  await create("layout-off", undefined, { ...layout, offVariant: "narrow" });
  await create("layout-without-off", undefined, layout);
  await create("colour", { serve: { variant: "blue" } }, text("blue", "grey"));
  await create(
    "number",
    { serve: { variant: "two" } },
    {
      valueType: "number",
      variants: [
        { key: "one", value: 1 },
        { key: "two", value: 2.5 },
      ],
    },
  );
  await create(
    "serves-off",
    { serve: { variant: "grey" } },
    {
      ...text("blue", "grey"),
      offVariant: "grey",
    },
  );
  await create("local", {
    constraints: [
      { field: "remoteAddress", operator: "in", values: ["192.0.2.0/24"], contextType: "ip" },
    ],
  });
  await create("past", {
    constraints: [
      {
        field: "currentTime",
        operator: "gt",
        values: ["2020-01-01T00:00:00Z"],
        contextType: "date",
      },
    ],
  });
});

describe("the front-end API of Unleash", () => {
  it("lists the flags that are on, with a variant that boolean flags do not have", async () => {
    const toggles = togglesIn(await byQuery("userId=ann"));
    expect(toggles["on"]).toEqual({ enabled: true, variant: NO_VARIANT, impressionData: false });
    expect(toggles).not.toHaveProperty("off");
    expect(toggles).not.toHaveProperty("only-germany");
  });

  it.each([
    ["layout", true, "wide", { type: "json", value: '{"columns":3,"title":"a \\"wide\\" page"}' }],
    ["colour", true, "blue", { type: "string", value: 'blue "text"' }],
    ["number", true, "two", { type: "number", value: "2.5" }],
    // Hard case 5: the off variant of a flag that is off.
    ["layout-off", false, "narrow", { type: "json", value: '{"columns":1}' }],
    // Hard case 4: a rule that serves the off variant.
    ["serves-off", false, "grey", { type: "string", value: 'grey "text"' }],
  ])(
    "lists the flag %s with enabled %s and the variant %s with its payload",
    async (key, enabled, name, payload) => {
      const variant = { name, enabled: true, payload, feature_enabled: enabled };
      expect(togglesIn(await byQuery(""))[key]).toEqual({
        enabled,
        variant,
        impressionData: false,
      });
    },
  );

  it("leaves out a flag with values that is off and has no off variant", async () => {
    expect(togglesIn(await byQuery(""))).not.toHaveProperty("layout-without-off");
  });

  it("reads the same context from the query and from the body", async () => {
    const answers = [
      await byQuery("userId=ann&properties%5Bcountry%5D=DE&properties[plan]=pro"),
      await byQuery("userId=ann&country=DE"),
      await byBody({ userId: "ann", properties: { country: "DE", userId: "bob" } }),
    ];
    for (const answer of answers) {
      expect(togglesIn(answer)).toHaveProperty("only-germany");
      expect(answer.body).toEqual(answers[0]?.body);
    }
  });

  it.each([
    "{}",
    '{"context":{}}',
    '{"context":{"properties":[1]}}',
    '{"context":{"userId":null}}',
  ])("evaluates the body %s without properties", async (body) => {
    const answer = await call("POST", PATH, { token: frontendKey, body });
    expect(Object.keys(togglesIn(answer))).toContain("on");
    expect(togglesIn(answer)).not.toHaveProperty("half");
  });

  it("takes the userId as the targetingKey, unless the context has its own", async () => {
    const users = Array.from({ length: 40 }, (_, n) => `user-${n}`);
    const isOn = async (context: object) => "half" in togglesIn(await byBody(context));
    const expected = async (targetingKey: string): Promise<boolean> => {
      const body = { context: { targetingKey }, toggles: ["half"] };
      const answer = await call("POST", "/api/client/evaluate", { token: frontendKey, body });
      return answer.body.evaluations.half.enabled;
    };
    const results = new Set<boolean>();
    for (const userId of users) {
      const result = await expected(userId);
      results.add(result);
      expect([userId, await isOn({ userId })]).toEqual([userId, result]);
      expect(await isOn({ userId: "other", targetingKey: userId })).toBe(result);
    }
    expect(results.size).toBe(2);
  });

  it("adds the caller's address and the current time to a context without them", async () => {
    const from = (address: string) => byQuery("", { headers: { "CF-Connecting-IP": address } });
    expect(togglesIn(await from("192.0.2.7"))).toHaveProperty("local");
    expect(togglesIn(await from("198.51.100.7"))).not.toHaveProperty("local");
    expect(togglesIn(await byQuery("remoteAddress=192.0.2.9"))).toHaveProperty("local");
    expect(togglesIn(await byQuery(""))).toHaveProperty("past");
    expect(togglesIn(await byQuery("currentTime=2019-01-01T00:00:00Z"))).not.toHaveProperty("past");
  });

  it("returns 304 with the ETag as long as the body is the same, also for another context", async () => {
    const first = await byQuery("userId=ann");
    const etag = first.headers.get("ETag") ?? "";
    const held = { headers: { "If-None-Match": etag } };
    const again = await byQuery("userId=ann&currentTime=2026-01-02T03:04:05Z", held);
    expect([again.status, again.body, again.headers.get("ETag")]).toEqual([304, "", etag]);
    const other = await byQuery("userId=ann&country=DE", held);
    expect(other.status).toBe(200);
    expect(togglesIn(other)).toHaveProperty("only-germany");
  });

  it.each([
    ["a field of 4,097 characters", { userId: "x".repeat(4097) }],
    ["101 fields", Object.fromEntries(Array.from({ length: 101 }, (_, n) => [`field-${n}`, n]))],
  ])("returns 400 for a context with %s", async (_, context) => {
    expect(outcome(await byBody(context))).toBe("400 VALIDATION_ERROR");
  });

  it("ignores fields with the names of JavaScript's own properties", async () => {
    const body = '{"context":{"properties":{"__proto__":{"country":"DE"},"constructor":"DE"}}}';
    const answer = await call("POST", PATH, { token: frontendKey, body });
    expect(togglesIn(answer)).not.toHaveProperty("only-germany");
    expect(outcome(await byQuery("__proto__=1&properties[__proto__]=1"))).toBe("200");
  });
});

describe.each(["/api/unleash", "/api/unleash/api"])("the API of Unleash under %s", (root) => {
  const forms = (key: string): Record<string, string>[] => [
    { Authorization: key },
    { Authorization: `Bearer ${key}` },
    { Authorization: `*:production.${key}` },
    { Authorization: `default:eu.west.production.${key}` },
    { "X-API-Key": key },
    { "X-API-Key": `*:production.${key}` },
  ];

  it.each(["SERVER", "FRONTEND"] as const)(
    "accepts a key of the type %s in every form that SDKs send, for front ends",
    async (type) => {
      const { apiKey } = await newKey(world.environmentId, type);
      for (const headers of forms(apiKey)) {
        const answer = await call("GET", `${root}/frontend`, { headers });
        expect([headers, answer.status]).toEqual([headers, 200]);
      }
    },
  );

  it("returns 401 for an unknown, empty or missing key", async () => {
    const unknown = ["x".repeat(64), "", "*:production.", "*:production.abc", `${frontendKey}.x`];
    for (const Authorization of unknown)
      for (const path of ["/frontend", "/client/features"]) {
        const answer = await call("GET", `${root}${path}`, { headers: { Authorization } });
        expect([Authorization, outcome(answer)]).toEqual([Authorization, "401 UNAUTHORIZED"]);
      }
    expect(outcome(await call("GET", `${root}/frontend`))).toBe("401 UNAUTHORIZED");
  });

  it("returns 401 after the key was deleted (hard case 19)", async () => {
    const { id, apiKey } = await newKey(world.environmentId);
    const ask = () => call("GET", `${root}/frontend`, { headers: { Authorization: apiKey } });
    expect((await ask()).status).toBe(200);
    await asAdmin("DELETE", `/api/v1/api-keys/${id}`);
    expect(outcome(await ask())).toBe("401 UNAUTHORIZED");
  });

  it("returns 503, and not 401, while the database and KV cannot say whether a key is valid", async () => {
    const fail = () => {
      throw new Error("D1_ERROR: Network connection lost.");
    };
    const replaced = { DB: { withSession: fail, prepare: fail } as unknown as D1Database };
    const headers = { Authorization: "u".repeat(64) };
    const answer = await callWith(replaced, "GET", `${root}/client/features`, { headers });
    expect([outcome(answer), answer.headers.get("Retry-After")]).toEqual([
      "503 SERVICE_UNAVAILABLE",
      "5",
    ]);
  });

  it.each([
    "GET /client/features",
    "GET /client/delta",
    "POST /client/register",
    "POST /client/metrics",
  ])("returns 403 to a FRONTEND key for %s", async (name) => {
    const [method = "", path = ""] = name.split(" ");
    const options = { token: frontendKey, ...(method === "POST" && { body: {} }) };
    expect(outcome(await call(method, root + path, options))).toBe("403 FORBIDDEN");
  });

  it.each(["GET /client/streaming", "POST /edge/validate", "POST /client/metrics/bulk"])(
    "returns 404 for %s, which does not exist",
    async (name) => {
      const [method = "", path = ""] = name.split(" ");
      const token = world.apiKey;
      expect(outcome(await call(method, root + path, { token }))).toBe("404 NOT_FOUND");
    },
  );

  it("allows pages of other origins to call it with the headers of the SDK, and to read the ETag", async () => {
    const requested = "authorization,if-none-match,unleash-appname,unleash-connection-id";
    const preflight = await call("OPTIONS", `${root}/frontend`, {
      headers: {
        Origin: "https://shop.test",
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": requested,
      },
    });
    expect(preflight.headers.get("Access-Control-Allow-Headers")).toBe(requested);
    expect(preflight.headers.get("Access-Control-Allow-Methods")).toContain("GET");
    const { headers } = await call("GET", `${root}/frontend`, {
      token: frontendKey,
      headers: { Origin: "https://shop.test" },
    });
    expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
    expect(headers.get("Access-Control-Expose-Headers")).toContain("ETag");
  });
});
