import { Buffer } from "node:buffer";
import { env } from "cloudflare:workers";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { DAY_MS } from "../../../src/core/lib/time.ts";
import { sweep } from "../../../src/jobs/sweep.ts";
import { call, type Json } from "../support/client.ts";
import { adminToken, person } from "../support/people.ts";
import { receiver } from "../support/receiver.ts";
import { auditOf, wholeDatabase } from "../support/records.ts";
import { newEnvironment, newIntegration, newKey, newProject } from "../support/world.ts";
import { broken, idsOf, unrelayed, world } from "../webhooks/support.ts";

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
  const [received] = calls;
  if (!received) throw new Error(`nothing was sent: ${JSON.stringify(body)}`);
  const headers = Object.fromEntries(received.headers);
  return {
    headers,
    verifies: (secret: string) => new Webhook(secret).verify(received.body, headers),
  };
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
    expect(created.headers.get("Cache-Control")).toBe("no-store, no-transform");
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

  it("is stored encrypted, and two integrations with the same secret have different ciphertexts", async () => {
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
});

describe("a replaced signing secret", () => {
  const [SECOND, THIRD] = [secretOf("the second"), secretOf("the third")];
  const previous = (id: number) =>
    env.DB.prepare("SELECT previous_secret, previous_secret_until FROM integrations WHERE id = ?")
      .bind(id)
      .first();
  const NONE = { previous_secret: null, previous_secret_until: null };

  it("still signs requests, beside the new secret, until it is replaced again", async () => {
    const { id } = await configured({ secret: OWN });
    const replaced = await put(id, { secret: SECOND });
    expect(configOf(replaced.body).secret).toBe(MASK);
    const first = await sent(id);
    expect(first.headers["webhook-signature"]).toMatch(/^v1,\S+ v1,\S+$/);
    for (const secret of [OWN, SECOND]) expect(first.verifies(secret)).toBeTruthy();
    await put(id, { secret: THIRD });
    const { verifies } = await sent(id);
    for (const secret of [SECOND, THIRD]) expect(verifies(secret)).toBeTruthy();
    expect(() => verifies(OWN)).toThrow(/signature/);
  });

  it("keeps signing when an update changes something else", async () => {
    const { id } = await configured({ secret: OWN });
    await put(id, { secret: SECOND });
    await asAdmin("PUT", `${path}/${id}`, { name: "renamed" });
    expect((await sent(id)).verifies(OWN)).toBeTruthy();
  });

  it("signs no request if it cannot be decrypted, and the new secret signs alone", async () => {
    const { id } = await configured({ secret: OWN });
    await env.DB.prepare("UPDATE integrations SET secret = 'v1.AAAA.AAAA' WHERE id = ?")
      .bind(id)
      .run();
    await put(id, { secret: SECOND });
    const { headers, verifies } = await sent(id);
    expect(headers["webhook-signature"]).toMatch(/^v1,\S+$/);
    expect(verifies(SECOND)).toBeTruthy();
  });

  it("signs for 24 hours, and the sweep then deletes it", async () => {
    const { id } = await configured({ secret: OWN });
    const flag = { key: "k", name: "k", flagType: "RELEASE", projectId: 0 };
    const { projectId } = (await asAdmin("GET", `${path}/${id}`)).body;
    await asAdmin("PUT", `${path}/${id}`, { eventSubscriptionsJson: '["flag.created"]' });
    await put(id, { secret: SECOND });
    await unrelayed("POST", "flags", { ...flag, projectId });
    const { deps, received, wait, deliver } = world(broken);
    const signatures = async () => {
      await deliver(await idsOf(id));
      return received.at(-1)?.headers.get("webhook-signature")?.split(" ").length;
    };
    wait(DAY_MS - 60_000);
    expect(await signatures()).toBe(2);
    await sweep(deps);
    expect(await previous(id)).not.toEqual(NONE);
    wait(2 * 60_000);
    expect(await signatures()).toBe(1);
    await sweep(deps);
    expect(await previous(id)).toEqual(NONE);
  });
});

describe("a change of the URL's host", () => {
  const moved = { url: "https://moved.example.com/hook" };
  const GIVE_AGAIN = "must be given again, because the host of the URL changes";

  it("is rejected, and changes nothing, unless the request contains the secret and all header values in plain text", async () => {
    const { id } = await configured({ secret: OWN, headers: { Authorization: TOKEN, "X-B": "b" } });
    const before = (await asAdmin("GET", `${path}/${id}`)).body;
    const masked = { authorization: "********", "X-B": "given" };
    const answers = [
      await put(id, { ...moved, secret: MASK, headers: masked }),
      await put(id, moved),
      await put(id, { url: url.replace(".com", ".com:8443"), secret: OWN }),
    ];
    expect(answers.map(outcome)).toEqual(Array(3).fill("400 VALIDATION_ERROR"));
    expect(answers[0]?.body.details).toEqual([
      { field: "configJson.secret", message: GIVE_AGAIN },
      { field: "configJson.headers.authorization", message: GIVE_AGAIN },
    ]);
    const both = ["configJson.headers.Authorization", "configJson.headers.X-B"];
    expect(answers.slice(1).map(invalidFields)).toEqual([both, both]);
    expect((await asAdmin("GET", `${path}/${id}`)).body).toEqual(before);
  });

  it("succeeds with values that are given again, and the replaced secret signs no request", async () => {
    const { id } = await configured({ secret: OWN, headers: { Authorization: TOKEN } });
    const next = secretOf("the next");
    const headers = { Authorization: "another" };
    expect(configOf((await put(id, { ...moved, secret: next, headers })).body).secret).toBe(MASK);
    const { headers: received, verifies } = await sent(id);
    expect(received["authorization"]).toBe("another");
    expect(verifies(next)).toBeTruthy();
    expect(() => verifies(OWN)).toThrow(/signature/);
  });

  it("replaces an omitted secret by a generated one, which only this response shows", async () => {
    const { id } = await configured({ secret: OWN });
    const answer = await put(id, moved);
    const { secret } = configOf(answer.body);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(configOf((await asAdmin("GET", `${path}/${id}`)).body).secret).toBe(MASK);
    const { verifies } = await sent(id);
    expect(verifies(secret)).toBeTruthy();
    expect(() => verifies(OWN)).toThrow(/signature/);
    expect((await auditOf(answer))[0]?.after).toMatchObject({ secretChanged: true });
  });

  it("drops all headers with an empty `headers`, and a change of the path alone keeps everything", async () => {
    const { id } = await configured({ secret: OWN, headers: { Authorization: TOKEN } });
    const samePath = await put(id, { url: `${url}/other?a=b` });
    expect(configOf(samePath.body)).toMatchObject({ secret: MASK });
    const kept = await sent(id);
    expect(kept.headers["authorization"]).toBe(TOKEN);
    expect(kept.verifies(OWN)).toBeTruthy();
    await put(id, { ...moved, headers: {} });
    expect((await sent(id)).headers["authorization"]).toBeUndefined();
  });
});

describe("the URL of an integration", () => {
  const secretUrl = "https://hooks.example.com/services/T000/B000?token=abc";
  const asViewer = async () => (await person("VIEWER")).token;
  const asDeveloper = async () => (await person("DEVELOPER")).token;

  /** Creates an integration, changes its URL, and makes an audit record of its deletion. */
  async function withHistory() {
    const { id: projectId } = await newProject();
    const { apiKey } = await newKey((await newEnvironment(projectId)).id);
    const integration = await newIntegration(projectId, {
      configJson: JSON.stringify({ url: `${secretUrl}0` }),
    });
    await put(integration.id, { url: secretUrl });
    const gone = await newIntegration(projectId, {
      configJson: JSON.stringify({ url: secretUrl }),
    });
    await asAdmin("DELETE", `${path}/${gone.id}`);
    return { projectId: projectId as number, id: integration.id as number, apiKey };
  }

  const readsOf = async (token: string, { id, projectId }: { id: number; projectId: number }) => {
    const get = (to: string) => call("GET", to, { token });
    return [
      await get(`${path}/${id}`),
      await get(`${path}?projectId=${projectId}`),
      await get(`${path}/${id}/deliveries`),
      await get(`/api/v1/audit?projectId=${projectId}`),
    ];
  };

  it.each(["VIEWER", "DEVELOPER", "SERVER key"])(
    "is shown without its path to a %s, in integrations, deliveries and audit records",
    async (who) => {
      const history = await withHistory();
      const tokens: Readonly<Record<string, () => Promise<string>>> = {
        VIEWER: asViewer,
        DEVELOPER: asDeveloper,
        "SERVER key": async () => history.apiKey,
      };
      const token = (await tokens[who]?.()) ?? "";
      const answers = await readsOf(token, history);
      expect(configOf(answers[0]?.body).url).toBe("https://hooks.example.com/…");
      expect(configOf(answers[1]?.body[0]).url).toBe("https://hooks.example.com/…");
      const text = JSON.stringify(answers.map(({ body }) => body));
      expect(text).toContain("integration.updated");
      expect(text).toContain("integration.deleted");
      expect(text).not.toMatch(/services|token=/);
    },
  );

  it("is shown in full to an administrator, also in audit records", async () => {
    const history = await withHistory();
    const answers = await readsOf(await adminToken(), history);
    expect(configOf(answers[0]?.body).url).toBe(secretUrl);
    const audit = answers[3]?.body.items as Json[];
    const updated = audit.find(({ action }) => action === "integration.updated");
    expect(configOf(updated?.after).url).toBe(secretUrl);
    expect(configOf(updated?.before).url).toBe(`${secretUrl}0`);
  });
});

describe("the headers of an integration", () => {
  it("reach the receiver with their values, but are masked in the response of the API", async () => {
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
    const answer = await put(id, { url: `${url}/moved`, headers: masks });
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
    expect(record).toMatchObject({ before: {}, after: { secretChanged: true } });
    expect(record.after).toEqual({ secretChanged: true, headersChanged: ["X-One"] });
  });

  it("does not mention a secret and headers that did not change", async () => {
    const { id } = await configured({ secret: OWN, headers: { "X-One": "1" } });
    const headers = { "X-One": "********", "X-Two": "2" };
    const [added] = await auditOf(await put(id, { secret: OWN, headers }));
    const masked = { url, secret: MASK, headers: { "X-One": "********", "X-Two": "********" } };
    expect(JSON.parse(added.after.configJson)).toEqual(masked);
    expect(added.after).not.toHaveProperty("secretChanged");
    expect(added.after.headersChanged).toEqual(["X-Two"]);
    const [renamed] = await auditOf(await asAdmin("PUT", `${path}/${id}`, { name: "renamed" }));
    expect(renamed.after).toEqual({ name: "renamed" });
  });
});
