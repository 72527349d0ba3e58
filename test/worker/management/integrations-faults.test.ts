import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import type { Json } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { wholeDatabase } from "../support/records.ts";
import { newIntegration, newProject, unique } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

const path = "/api/v1/integrations";
const url = "https://receiver.example.com/hook";
const bytes = (count: number) => Buffer.alloc(count, "s").toString("base64");

let stored: Json;
let before: Json;

beforeAll(async () => {
  const config = { url, headers: { "X-Token": "kept" } };
  const configJson = JSON.stringify(config);
  stored = await newIntegration((await newProject()).id, { configJson });
});

beforeEach(async () => {
  before = await wholeDatabase();
});

const body = (more: object) => ({
  name: unique("integration"),
  enabled: true,
  type: "custom_webhook",
  configJson: JSON.stringify({ url }),
  eventSubscriptionsJson: "[]",
  projectId: stored.projectId,
  ...more,
});

/**
 * Creates and updates an integration with these fields. Expects that both requests return 400 and
 * store nothing. Returns the invalid fields of both responses.
 */
async function refused(more: object) {
  const created = await asAdmin("POST", path, body(more));
  const changed = await asAdmin("PUT", `${path}/${stored.id}`, more);
  expect([created, changed].map(outcome)).toEqual(Array(2).fill("400 VALIDATION_ERROR"));
  expect(await wholeDatabase()).toEqual(before);
  return { created: invalidFields(created), changed: invalidFields(changed) };
}

const both = (...fields: string[]) => ({ created: fields.toSorted(), changed: fields.toSorted() });

const withHeaders = (headers: unknown) => ({ configJson: JSON.stringify({ url, headers }) });
const at = (name: string) => `configJson.headers.${name}`;

const CONFIGS: Record<string, readonly [configJson: unknown, ...fields: string[]]> = {
  "a configuration that is not a string": [{ url }, "configJson"],
  "a configuration that is not JSON": ["{", "configJson"],
  "an empty string": ["", "configJson"],
  "a JSON string": ['"https://example.com"', "configJson"],
  "a JSON array": ["[]", "configJson"],
  "a JSON null": ["null", "configJson"],
  "more than 30,000 characters": [JSON.stringify({ url, x: "x".repeat(30_000) }), "configJson"],
  "no url": ["{}", "configJson.url"],
  "a url that is not a string": ['{"url":5}', "configJson.url"],
  "an empty url": ['{"url":""}', "configJson.url"],
  "a relative url": ['{"url":"/hook"}', "configJson.url"],
  "an unpaired surrogate": ['{"url":"https://example.com/\\ud800"}', "configJson.url"],
  "plain http": ['{"url":"http://example.com"}', "configJson.url"],
  "a loopback address": ['{"url":"https://127.0.0.1/"}', "configJson.url"],
  "an empty secret": [JSON.stringify({ url, secret: "" }), "configJson.secret"],
  "a null secret": [JSON.stringify({ url, secret: null }), "configJson.secret"],
  "a secret without its prefix": [JSON.stringify({ url, secret: bytes(32) }), "configJson.secret"],
  "a secret that is not base64": [JSON.stringify({ url, secret: "whsec_ä" }), "configJson.secret"],
  "a secret of 23 bytes": [
    JSON.stringify({ url, secret: `whsec_${bytes(23)}` }),
    "configJson.secret",
  ],
  "a secret of 65 bytes": [
    JSON.stringify({ url, secret: `whsec_${bytes(65)}` }),
    "configJson.secret",
  ],
  "several errors at once": [
    JSON.stringify({ url: "http://10.0.0.1", secret: 1, headers: { a: 1, Host: "x" } }),
    "configJson.url",
    "configJson.secret",
    at("a"),
    at("Host"),
  ],
};

describe("an integration with an invalid configuration", () => {
  it.each(Object.entries(CONFIGS))(
    "returns 400 and stores nothing for %s",
    async (_, [configJson, ...fields]) => {
      expect(await refused({ configJson })).toEqual(both(...fields));
    },
  );

  it.each([
    ["headers that are not an object", [["X-A", "a"]], "configJson.headers"],
    ["headers that are null", null, "configJson.headers"],
    [
      "more than 20 headers",
      Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`X-${n}`, "a"])),
      "configJson.headers",
    ],
    ["a header without a name", { "": "a" }, at("")],
    ["a header with a space in its name", { "X A": "a" }, at("X A")],
    ["a header with a name beyond ASCII", { "X-Ä": "a" }, at("X-Ä")],
    ["a header with a name of 101 characters", { ["x".repeat(101)]: "a" }, at("x".repeat(101))],
    ["one header in two spellings", { "X-A": "a", "x-a": "b" }, at("x-a")],
    ["an empty value", { "X-A": "" }, at("X-A")],
    ["a value that is not a string", { "X-A": 5 }, at("X-A")],
    ["a value beyond ASCII", { "X-A": "ä" }, at("X-A")],
    ["a value with a line break", { "X-A": "a\r\nHost: evil" }, at("X-A")],
    ["a value with a space at the end", { "X-A": "a " }, at("X-A")],
    ["a value of 1,001 characters", { "X-A": "a".repeat(1001) }, at("X-A")],
  ])("returns 400 and stores nothing for %s", async (_, headers, field) => {
    expect(await refused(withHeaders(headers))).toEqual(both(field));
  });

  const RESERVED = `webhook-id Webhook-Signature content-type Content-Length content-encoding Host
    connection transfer-encoding TE trailer upgrade keep-alive proxy-authorization cf-connecting-ip
    x-b3-traceid traceparent tracestate user-agent expect`.split(/\s+/);
  it.each(RESERVED)("returns 400 and stores nothing for the reserved header %s", async (name) => {
    const headers = { [name]: "a", "X-Own": "a" };
    expect(await refused(withHeaders(headers))).toEqual(both(at(name)));
  });
});

describe("an integration with invalid fields", () => {
  it.each([
    ["a list that is not a string", ["flag.created"], "eventSubscriptionsJson"],
    ["a string that is not JSON", "flag.created", "eventSubscriptionsJson"],
    ["JSON that is not an array", '{"flag.created":true}', "eventSubscriptionsJson"],
    ["an unknown event", '["flag.created","flag.moved"]', "eventSubscriptionsJson.1"],
    ["the event type of a test", '["integration.test"]', "eventSubscriptionsJson.0"],
    ["an event that is not a string", "[1]", "eventSubscriptionsJson.0"],
    ["a wildcard", '["*"]', "eventSubscriptionsJson.0"],
  ])(
    "returns 400 and stores nothing for subscriptions with %s",
    async (_, eventSubscriptionsJson, field) => {
      expect(await refused({ eventSubscriptionsJson })).toEqual(both(field));
    },
  );

  it("returns 400 with an error for each invalid field, and stores nothing", async () => {
    expect(await refused({ type: "e-mail" })).toEqual(both("type"));
    const all = {
      name: "",
      enabled: "yes",
      type: "",
      configJson: '{"url":"http://example.com"}',
      eventSubscriptionsJson: '["x"]',
    };
    const fields = ["configJson.url", "enabled", "eventSubscriptionsJson.0", "name", "type"];
    expect(await refused(all)).toEqual(both(...fields));
  });
});

describe("a new integration", () => {
  it("is rejected when it contains masks (********) in place of secrets, because no secret is stored yet", async () => {
    const config = { url, secret: "whsec_********", headers: { "X-Token": "********" } };
    const answer = await asAdmin("POST", path, body({ configJson: JSON.stringify(config) }));
    expect(invalidFields(answer)).toEqual([at("X-Token"), "configJson.secret"].toSorted());
    expect(await wholeDatabase()).toEqual(before);
  });

  it("can have 20 headers of 1,000 characters, a URL of 2,000 characters and a secret of 24 to 64 bytes", async () => {
    const name = (n: number) => `${"x".repeat(98)}${n + 10}`;
    const headers = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [name(n), `a${" b".repeat(499)}c`]),
    );
    for (const count of [24, 64]) {
      const config = { url: url.padEnd(2000, "x"), secret: `whsec_${bytes(count)}`, headers };
      const answer = await asAdmin("POST", path, body({ configJson: JSON.stringify(config) }));
      expect([answer.status, JSON.parse(answer.body.configJson).secret]).toEqual([
        201,
        config.secret,
      ]);
    }
  });

  it("is stored without unknown fields of the configuration", async () => {
    const configJson = JSON.stringify({ url, method: "PUT", retries: 3 });
    const answer = await asAdmin("POST", path, body({ configJson }));
    expect(Object.keys(JSON.parse(answer.body.configJson))).toEqual(["url", "secret", "headers"]);
  });
});

describe("a new integration with WEBHOOK_ALLOW_HTTP", () => {
  const create = async (to: string) =>
    callWith({ WEBHOOK_ALLOW_HTTP: "true" }, "POST", path, {
      token: await adminToken(),
      body: body({ configJson: JSON.stringify({ url: to }) }),
    });

  it("is accepted with an http URL of localhost, and rejected with that of a private address", async () => {
    expect((await create("http://localhost:9000/hook")).status).toBe(201);
    expect(invalidFields(await create("http://10.0.0.1"))).toEqual(["configJson.url"]);
  });
});
