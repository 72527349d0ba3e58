import { Buffer } from "node:buffer";
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import type { Json } from "../support/client.ts";
import { receiver } from "../support/receiver.ts";
import { auditOf, wholeDatabase } from "../support/records.ts";
import { newIntegration, newProject } from "../support/world.ts";

const path = "/api/v1/integrations";
const MASK = "whsec_********";
const url = "https://receiver.example.com/hook";
const secretOf = (text: string) => `whsec_${Buffer.from(text.padEnd(32, ".")).toString("base64")}`;
const OWN = secretOf("the receiver's own");
const TOKEN = "Bearer of-the-receiver";

const configOf = (integration: Json) => JSON.parse(integration.configJson);
const put = (id: number, config: object) =>
  asAdmin("PUT", `${path}/${id}`, { configJson: JSON.stringify({ url, ...config }) });

async function configured(config: object = {}): Promise<Json> {
  const configJson = JSON.stringify({ url, ...config });
  return newIntegration((await newProject()).id, { configJson });
}

/**
 * Sends a test of the integration. Returns the headers that the receiver gets, and a function that
 * verifies the signature with a secret.
 */
async function sent(id: number) {
  const calls = receiver();
  const { body } = await asAdmin("POST", `${path}/${id}/test`);
  const [call] = calls;
  if (!call) throw new Error(`nothing was sent: ${JSON.stringify(body)}`);
  const headers = Object.fromEntries(call.headers);
  return { headers, verifies: (secret: string) => new Webhook(secret).verify(call.body, headers) };
}

describe("the signing secret of an integration", () => {
  it("consists of 32 bytes by default, different for each integration", async () => {
    const [one, two] = [configOf(await configured()), configOf(await configured())];
    expect(one.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(one.secret).not.toBe(two.secret);
  });

  it("is returned only by the request that creates the integration, with Cache-Control: no-store", async () => {
    const { id: projectId } = await newProject();
    const created = await asAdmin("POST", path, {
      name: "n",
      enabled: true,
      type: "custom_webhook",
      configJson: JSON.stringify({ url, headers: { Authorization: TOKEN } }),
      eventSubscriptionsJson: "[]",
      projectId,
    });
    expect(created.headers.get("Cache-Control")).toBe("no-store");
    const { id } = created.body;
    const { secret } = configOf(created.body);
    receiver(() => new Response(null, { status: 500 }));
    const answers = [
      await asAdmin("GET", `${path}/${id}`),
      await asAdmin("GET", path),
      await put(id, { secret: MASK }),
      await put(id, { secret: OWN, headers: { Authorization: `${TOKEN}2` } }),
      await asAdmin("POST", `${path}/${id}/test`),
      await asAdmin("GET", `${path}/${id}/deliveries`),
      await asAdmin("GET", `/api/v1/audit?projectId=${projectId}`),
    ];
    const bare = (text: string) => text.replace("whsec_", "");
    const everywhere = JSON.stringify([answers.map(({ body }) => body), await wholeDatabase()]);
    for (const plain of [bare(secret), bare(OWN), TOKEN, btoa(TOKEN)])
      expect(everywhere).not.toContain(plain);
    expect(JSON.stringify(created.body)).not.toContain(TOKEN);
    expect(everywhere).toContain(MASK);
  });

  it("is stored encrypted, with a different ciphertext for the same secret", async () => {
    const secrets: string[] = [];
    for (const { id } of [await configured({ secret: OWN }), await configured({ secret: OWN })]) {
      const sql = "SELECT secret FROM integrations WHERE id = ?";
      const row = await env.DB.prepare(sql).bind(id).first<{ secret: string }>();
      expect(row?.secret).toMatch(/^v1\.[\w-]+\.[\w-]+$/);
      secrets.push(row?.secret ?? "");
    }
    expect(secrets[0]).not.toBe(secrets[1]);
  });

  it("signs webhook deliveries, whether the secret was generated or given", async () => {
    const made = await configured();
    expect((await sent(made.id)).verifies(configOf(made).secret)).toBeTruthy();
    const given = await configured({ secret: OWN });
    expect(configOf(given).secret).toBe(OWN);
    const { verifies } = await sent(given.id);
    expect(verifies(OWN)).toBeTruthy();
    expect(() => verifies(secretOf("another"))).toThrow(/signature/);
  });

  it.each([{ secret: MASK }, {}])("is kept by an update with %j", async (config) => {
    const { id } = await configured({ secret: OWN });
    const answer = await put(id, config);
    expect(configOf(answer.body).secret).toBe(MASK);
    expect((await sent(id)).verifies(OWN)).toBeTruthy();
  });

  it("can be replaced by a new secret, which is always masked", async () => {
    const { id } = await configured({ secret: OWN });
    const next = secretOf("the next");
    expect(configOf((await put(id, { secret: next })).body).secret).toBe(MASK);
    const { verifies } = await sent(id);
    expect(verifies(next)).toBeTruthy();
    expect(() => verifies(OWN)).toThrow(/signature/);
  });
});

describe("the headers of an integration", () => {
  it("reach the receiver with their values, which are masked in the response", async () => {
    const headers = { Authorization: TOKEN, "X-Team": "a b" };
    const integration = await configured({ headers });
    const masked = { Authorization: "********", "X-Team": "********" };
    expect(configOf(integration).headers).toEqual(masked);
    const { headers: received } = await sent(integration.id);
    expect(received).toMatchObject({ authorization: TOKEN, "x-team": "a b" });
  });

  it("keep their values when an update contains their masks, with names in upper or lower case", async () => {
    const { id } = await configured({ headers: { Authorization: TOKEN, "X-Team": "old" } });
    const headers = { authorization: "********", "X-Team": "new", "X-More": "more" };
    const answer = await put(id, { headers });
    expect(Object.keys(configOf(answer.body).headers)).toEqual(Object.keys(headers));
    expect((await sent(id)).headers).toMatchObject({
      authorization: TOKEN,
      "x-team": "new",
      "x-more": "more",
    });
  });

  it("keep their values when the whole configuration is read, changed and written back", async () => {
    const { id } = await configured({ secret: OWN, headers: { Authorization: TOKEN } });
    const read = (await asAdmin("GET", `${path}/${id}`)).body;
    const config = { ...configOf(read), url: "https://moved.example.com/" };
    const body = { ...read, name: "renamed", configJson: JSON.stringify(config) };
    expect((await asAdmin("PUT", `${path}/${id}`, body)).status).toBe(200);
    const { headers, verifies } = await sent(id);
    expect(headers).toMatchObject({ authorization: TOKEN });
    expect(verifies(OWN)).toBeTruthy();
  });

  it("are removed when omitted from `headers`, and kept when `headers` is omitted", async () => {
    const { id } = await configured({ headers: { "X-One": "1", "X-Two": "2" } });
    await put(id, {});
    expect((await sent(id)).headers).toMatchObject({ "x-one": "1", "x-two": "2" });
    await put(id, { headers: { "X-Two": "********" } });
    const { headers } = await sent(id);
    expect([headers["x-one"], headers["x-two"]]).toEqual([undefined, "2"]);
    expect(configOf((await put(id, { headers: {} })).body).headers).toEqual({});
    expect((await sent(id)).headers["x-two"]).toBeUndefined();
  });

  it("are rejected when a mask has no stored value, and nothing changes", async () => {
    const { id } = await configured({ headers: { "X-One": "1" } });
    const row = async () =>
      env.DB.prepare("SELECT * FROM integrations WHERE id = ?").bind(id).first();
    const before = await row();
    const masks = { "X-One": "********", "X-Two": "********", "X-Three": "********" };
    const answer = await put(id, { url: "https://moved.example.com", headers: masks });
    expect(outcome(answer)).toBe("400 VALIDATION_ERROR");
    const fields = ["configJson.headers.X-Three", "configJson.headers.X-Two"];
    expect(invalidFields(answer)).toEqual(fields);
    expect(await row()).toEqual(before);
    expect(await auditOf(answer)).toEqual([]);
  });
});

describe("the audit record of an update of an integration", () => {
  it("states that the secret and a header changed, but does not contain their values", async () => {
    const { id } = await configured({ secret: OWN, headers: { "X-One": "1", "X-Two": "2" } });
    const headers = { "X-One": "new", "X-Two": "********" };
    const change = { secret: secretOf("next"), headers };
    const [record] = await auditOf(await put(id, change));
    expect(record.after).toMatchObject({ secretChanged: true, headersChanged: ["X-One"] });
    const masked = { url, secret: MASK, headers: { "X-One": "********", "X-Two": "********" } };
    expect(JSON.parse(record.before.configJson)).toEqual(masked);
    expect(JSON.parse(record.after.configJson)).toEqual(masked);
    expect(record.before).not.toHaveProperty("secretChanged");
  });

  it("does not mention a secret and headers that did not change", async () => {
    const { id } = await configured({ headers: { "X-One": "1" } });
    const kept = { secret: MASK, headers: { "X-One": "********" } };
    const renamed = await asAdmin("PUT", `${path}/${id}`, { name: "renamed" });
    for (const answer of [await put(id, kept), await put(id, {}), renamed]) {
      const [record] = await auditOf(answer);
      expect(record.after).not.toHaveProperty("secretChanged");
      expect(record.after).not.toHaveProperty("headersChanged");
    }
  });
});
