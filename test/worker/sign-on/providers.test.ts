import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { callWith } from "../support/call-with.ts";
import { call, type Json } from "../support/client.ts";
import { FakeIdp, network } from "../support/fake-idp.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { newProvider } from "../support/providers.ts";
import { unique } from "../support/world.ts";

const PATH = "/api/v1/settings/identity-providers";
const okta = (fields: object = {}) => ({
  slug: unique("okta").toLowerCase(),
  name: "Okta",
  type: "oidc",
  issuer: "https://example.okta.com",
  clientId: "client",
  clientSecret: "the client secret",
  ...fields,
});
const fieldsOf = ({ body }: { readonly body: Json }) =>
  body.details?.map(({ field }: { readonly field: string }) => field);

afterEach(() => vi.unstubAllGlobals());

describe("identity providers", () => {
  it("are stored with an encrypted secret, which no response contains", async () => {
    const created = await asAdmin("POST", PATH, okta());
    const { id, slug } = created.body;
    expect(created.body).toMatchObject({
      hasSecret: true,
      callbackUrl: `https://flags.test/api/v1/auth/sign-on/${slug}/callback`,
      provisioning: "invited",
      secondFactor: "local",
      defaultRole: "VIEWER",
      linkByEmail: true,
      sessionHours: 24,
    });
    const stored = await env.DB.prepare("SELECT secret FROM identity_providers WHERE id = ?")
      .bind(id)
      .first<string>("secret");
    expect(stored).toMatch(/^v1\./);
    const answers = [created, await asAdmin("GET", PATH), await asAdmin("GET", `${PATH}/${id}`)];
    const audit = await asAdmin("GET", `/api/v1/audit?entityType=identity-provider&entityId=${id}`);
    expect(JSON.stringify([...answers, audit])).not.toContain("the client secret");
    expect(audit.body.items[0]).toMatchObject({
      action: "identity-provider.created",
      category: "security",
    });
  });

  it("keep the secret when a request omits it, and lose it with null", async () => {
    const { id } = await newProvider(okta());
    const renamed = await asAdmin("PUT", `${PATH}/${id}`, { name: "Company", defaultRole: null });
    expect(renamed.body).toMatchObject({ name: "Company", defaultRole: null, hasSecret: true });
    const removed = await asAdmin("PUT", `${PATH}/${id}`, { clientSecret: null });
    expect(removed.body.hasSecret).toBe(false);
  });

  it("return 409 for a slug that another provider has", async () => {
    const { slug } = await newProvider(okta());
    expect(outcome(await asAdmin("POST", PATH, okta({ slug })))).toBe("409 CONFLICT");
  });

  it.each([
    "http://example.okta.com",
    "https://localhost",
    "https://10.0.0.1/realm",
    "https://[::1]",
    "https://169.254.169.254",
    "https://idp.internal",
    "http://localhost:8080",
    "https://example.okta.com?tenant=1",
    "https://login.microsoftonline.com/common/v2.0",
  ])("private issuer: returns 400 for %s", async (issuer) => {
    const answer = await asAdmin("POST", PATH, okta({ issuer }));
    expect([answer.status, fieldsOf(answer)]).toEqual([400, ["issuer"]]);
    const { id } = await newProvider(okta());
    expect((await asAdmin("PUT", `${PATH}/${id}`, { issuer })).status).toBe(400);
  });

  it("accept an http issuer on this machine, and only there, with SIGN_ON_ALLOW_HTTP", async () => {
    const token = await adminToken();
    const create = (issuer: string) =>
      callWith({ SIGN_ON_ALLOW_HTTP: "true" }, "POST", PATH, {
        token,
        body: okta({ issuer }),
      });
    const issuers = ["http://localhost:8080", "http://127.0.0.1:8080", "http://example.com"];
    const statuses = await Promise.all(issuers.map(async (one) => (await create(one)).status));
    expect(statuses).toEqual([201, 201, 400]);
  });

  it("have the issuer of GitHub, and return 400 for roles without a claim or a reserved slug", async () => {
    const github = await newProvider({ type: "github" });
    expect(github.issuer).toBe("https://github.com/login/oauth");
    const roles = [{ group: "admins", role: "ADMIN" }];
    expect(fieldsOf(await asAdmin("POST", PATH, okta({ roles })))).toEqual(["groupClaim"]);
    expect(fieldsOf(await asAdmin("POST", PATH, okta({ slug: "complete" })))).toEqual(["slug"]);
  });

  it("with `check` return 400 with the cause if the provider does not respond, and are saved without it", async () => {
    const idp = new FakeIdp();
    const { host } = new URL(idp.issuer);
    network();
    const body = okta({ issuer: idp.issuer, check: true });
    const refused = await asAdmin("POST", PATH, body);
    const refusal = {
      status: 400,
      problem: "provider",
      details: [{ field: "issuer", message: expect.stringContaining(`${host} does not respond`) }],
    };
    expect({ status: refused.status, ...refused.body }).toMatchObject(refusal);
    const { id } = await newProvider({ ...body, check: false });
    const path = `${PATH}/${id}`;
    const unchanged = await asAdmin("PUT", path, { name: "Company", check: true });
    expect({ status: unchanged.status, ...unchanged.body }).toMatchObject(refusal);
    network(idp.host);
    expect((await asAdmin("PUT", path, { name: "Company", check: true })).status).toBe(200);
    const team = "https://team.cloudflareaccess.com";
    const access = await asAdmin("POST", PATH, okta({ type: "access", issuer: team, check: true }));
    expect(access.body.details[0].message).toContain("team.cloudflareaccess.com does not respond");
  });

  it("name the cause to the administrator who tests a provider that does not respond", async () => {
    const idp = new FakeIdp();
    network();
    const { slug } = await newProvider(okta({ issuer: idp.issuer, enabled: false }));
    const answer = await asAdmin("POST", `/api/v1/auth/sign-on/${slug}`, { intent: "test" });
    expect([answer.status, answer.body.problem]).toEqual([503, "provider"]);
    expect(answer.body.error).toContain(`${new URL(idp.issuer).host} does not respond`);
  });

  it("are listed for everybody with slug, name and type, unless they are disabled", async () => {
    const shown = await newProvider(okta());
    const hidden = await newProvider(okta({ enabled: false }));
    const { body } = await call("GET", "/api/v1/auth/sign-on");
    expect(body).toContainEqual({ slug: shown.slug, name: "Okta", type: "oidc" });
    expect(body.map(({ slug }: Json) => slug)).not.toContain(hidden.slug);
  });

  it("of SIGN_ON_PROVIDERS are read-only, and take a secret of the environment", async () => {
    const { clientSecret: _, ...configured } = okta({ slug: "of-variable" });
    const variables = {
      SIGN_ON_PROVIDERS: JSON.stringify([configured]),
      SIGN_ON_SECRET_OF_VARIABLE: "a secret",
    } as object;
    const token = await adminToken();
    const { body } = await callWith(variables, "GET", PATH, { token });
    expect(body[0]).toMatchObject({ id: null, slug: "of-variable", hasSecret: true });
    const same = await callWith(variables, "POST", PATH, {
      token,
      body: okta({ slug: "of-variable" }),
    });
    expect(outcome(same)).toBe("409 CONFLICT");
    expect((await callWith(variables, "GET", "/api/v1/auth/sign-on")).body).toContainEqual({
      slug: "of-variable",
      name: "Okta",
      type: "oidc",
    });
  });

  it.each(["{", '[{"slug":"x"}]', '[{"slug":"x","name":"X","type":"oidc","clientId":"c"}]'])(
    "of an invalid SIGN_ON_PROVIDERS make the API return 503: %s",
    async (text) => {
      const answer = await callWith({ SIGN_ON_PROVIDERS: text }, "GET", "/api/v1/auth/sign-on");
      expect(answer.status).toBe(503);
      expect(answer.body.error).toContain("SIGN_ON_PROVIDERS");
      const health = await callWith({ SIGN_ON_PROVIDERS: text }, "GET", "/actuator/health");
      expect([health.status, health.body.status]).toEqual([503, "DOWN"]);
    },
  );
});
