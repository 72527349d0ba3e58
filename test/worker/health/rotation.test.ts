import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { reseal } from "../../../src/jobs/reseal.ts";
import { jobDeps } from "../../../src/platform/jobs.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { codeOf, enrolled } from "../support/factors.ts";
import { adminToken } from "../support/people.ts";
import { rows } from "../support/records.ts";
import { newIntegration, newProject } from "../support/world.ts";
import { callWith } from "../support/call-with.ts";

/** The settings after one secret was replaced, with or without the previous secret. */
const rotated = (name: "SERVICE_JWT_SECRET" | "SERVICE_ENCRYPTION_KEY", keepsOld: boolean) =>
  ({
    [name]: name === "SERVICE_JWT_SECRET" ? "another secret, of 32 bytes or more" : OTHER_KEY,
    ...(keepsOld && { [`${name}_PREVIOUS`]: env[name] }),
  }) as Partial<Env>;
const NEXT = `whsec_${btoa("the next secret, of 32 bytes ...")}`;
const OTHER_KEY = btoa("another key that has 32 bytes. .");

describe("a rotation of the JWT secret", () => {
  it("accepts tokens of the previous secret while that secret is set, and signs new tokens with the new secret", async () => {
    const token = await adminToken();
    const now = rotated("SERVICE_JWT_SECRET", true);
    expect((await callWith(now, "GET", "/api/v1/projects", { token })).status).toBe(200);
    const fresh = await callWith(now, "POST", "/api/v1/auth/login", {
      body: { email: "admin@example.com", password: "correct-horse-battery" },
    });
    const later = rotated("SERVICE_JWT_SECRET", false);
    const answer = await callWith(later, "GET", "/api/v1/projects", { token: fresh.body.token });
    expect(answer.status).toBe(200);
  });

  it("rejects tokens of the previous secret after that secret is removed", async () => {
    const token = await adminToken();
    const later = rotated("SERVICE_JWT_SECRET", false);
    expect(outcome(await callWith(later, "GET", "/api/v1/projects", { token }))).toBe(
      "401 UNAUTHORIZED",
    );
  });

  it("returns an error that names SERVICE_JWT_SECRET_PREVIOUS when that secret is too short", async () => {
    const now = { SERVICE_JWT_SECRET_PREVIOUS: "short" } as Partial<Env>;
    const answer = await callWith(now, "GET", "/api/v1/projects");
    expect(answer.body.error).toContain("SERVICE_JWT_SECRET_PREVIOUS");
  });
});

describe("a rotation of the encryption key", () => {
  const both = { ...env, ...rotated("SERVICE_ENCRYPTION_KEY", true) };
  const onlyNew = { ...env, ...rotated("SERVICE_ENCRYPTION_KEY", false) };

  it("encrypts second factors, webhook secrets and webhook headers again, so that the new key alone decrypts them", async () => {
    const { token, secret } = await enrolled();
    const { id: projectId } = await newProject();
    const headers = { "X-Token": "for the receiver" };
    const configJson = JSON.stringify({ url: "https://receiver.example.com/", headers });
    const integration = await newIntegration(projectId, { configJson });
    const activate = (changes: Partial<Env>) =>
      callWith(changes, "POST", "/api/v1/auth/mfa/activate", {
        token,
        body: { code: codeOf(secret) },
      });

    const replaced = { url: "https://receiver.example.com/", secret: NEXT };
    await asAdmin("PUT", `/api/v1/integrations/${integration.id}`, {
      configJson: JSON.stringify(replaced),
    });

    await reseal(jobDeps(both));
    const { vault, db: _ } = jobDeps(onlyNew);
    const [row] = await rows("SELECT * FROM integrations WHERE id = ?", integration.id);
    expect(await vault.open(row.secret)).toBe(NEXT);
    expect(await vault.open(row.previous_secret)).toBe(JSON.parse(integration.configJson).secret);
    const sealed = JSON.parse(row.headers) as Record<string, string>;
    expect(await vault.open(sealed["X-Token"] ?? "")).toBe("for the receiver");
    expect((await activate(rotated("SERVICE_ENCRYPTION_KEY", false))).status).toBe(200);
  });

  it("decrypts a text that the previous key encrypted, and encrypts the text only once with the new key", async () => {
    const { vault: old } = jobDeps(env);
    const { vault } = jobDeps(both);
    const sealed = await old.seal("a secret");
    expect(await vault.open(sealed)).toBe("a secret");
    const again = await vault.reseal(sealed);
    expect(again).not.toBe(sealed);
    expect(await vault.reseal(again ?? "")).toBeUndefined();
    await expect(old.open(again ?? "")).rejects.toThrow("encrypted with another key");
  });
});
