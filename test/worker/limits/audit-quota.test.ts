import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { DAY_MS, startOfDay } from "../../../src/core/lib/time.ts";
import { callWith } from "../support/call-with.ts";
import { login } from "../support/locks.ts";
import { PASSWORD } from "../support/mailbox.ts";
import { outcome } from "../support/outcomes.ts";
import { person, tokenOf } from "../support/people.ts";
import { standAtHalfAMinute, TOO_MANY, waitOf } from "../support/rates.ts";
import { auditOf, rows } from "../support/records.ts";
import { member } from "../support/sessions.ts";
import { newFlag, newWorld, unique } from "../support/world.ts";

standAtHalfAMinute();

const QUOTA = 100_000;
const quota = { QUOTA_AUDIT_BYTES: String(QUOTA) };

interface Writer {
  readonly kind: "user" | "key";
  readonly id: number;
  readonly token: string;
}

/** Stores a record of the caller that takes this many bytes with its share of the indexes. */
async function wrote({ kind, id }: Writer, bytes: number, at = Date.now()): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO audit (at, category, action, actor_kind, actor_id, actor_name, entity_type, before, after, trace_id)
     VALUES (?, 'change', 'flag.updated', ?, ?, 'a caller', 'flag', '{}', ?, 'trace')`,
  )
    .bind(at, kind, id, JSON.stringify("n".repeat(bytes - 1_000 - '{}""'.length)))
    .run();
}

async function developer(): Promise<Writer> {
  const { id, token } = await person("DEVELOPER");
  return { kind: "user", id, token };
}

const recordsOf = async ({ kind, id }: Writer) =>
  (await rows("SELECT id FROM audit WHERE actor_kind = ? AND actor_id = ?", kind, id)).length;

describe("the quota of audit records", () => {
  const createTag = async (projectId: number, token: string, vars: object = quota) =>
    callWith(vars, "POST", "/api/v1/tags", {
      token,
      body: { name: crypto.randomUUID(), color: "#2f9e44", projectId },
    });

  it("refuses a user's writes with 429 until midnight UTC, and without a trace", async () => {
    const { projectId } = await newWorld();
    const user = await developer();
    await wrote(user, QUOTA);
    const refused = await createTag(projectId, user.token);
    expect([outcome(refused), await auditOf(refused)]).toEqual([TOO_MANY, []]);
    expect(refused.body.error).toContain("more than 100000 bytes in the audit trail");
    const midnight = startOfDay(Date.now()) + DAY_MS;
    expect(waitOf(refused)).toBe((midnight - Date.now()) / 1000);
    expect(outcome(await createTag(projectId, user.token))).toBe(TOO_MANY);
    expect(await recordsOf(user)).toBe(1);
    vi.setSystemTime(midnight);
    const { token } = await person("DEVELOPER");
    expect(outcome(await createTag(projectId, token))).toBe("201");
    await env.DB.prepare("UPDATE sessions SET refreshed_at = ? WHERE user_id = ?")
      .bind(midnight, user.id)
      .run();
    const [session] = await rows("SELECT id FROM sessions WHERE user_id = ?", user.id);
    const renewed = await tokenOf({ id: user.id, sessionId: session?.["id"] }, "DEVELOPER");
    expect(outcome(await createTag(projectId, renewed))).toBe("201");
  });

  it("accepts the write that exceeds the quota, and counts neither other days nor other callers", async () => {
    const { projectId } = await newWorld();
    const user = await developer();
    await wrote(user, QUOTA, startOfDay(Date.now()) - 1);
    await wrote({ ...user, kind: "key" }, QUOTA);
    await wrote(await developer(), QUOTA);
    await wrote(user, QUOTA - 1);
    expect(outcome(await createTag(projectId, user.token))).toBe("201");
    expect(outcome(await createTag(projectId, user.token))).toBe(TOO_MANY);
  });

  it("counts only after a hundredth of the quota went through the isolate", async () => {
    const { projectId } = await newWorld();
    const user = await developer();
    const larger = { QUOTA_AUDIT_BYTES: String(5 * QUOTA) };
    await wrote(user, 5 * QUOTA);
    const outcomes: string[] = [];
    for (let n = 0; n < 5; n++)
      outcomes.push(outcome(await createTag(projectId, user.token, larger)));
    expect(outcomes).toEqual(["201", "201", "201", "201", TOO_MANY]);
  });

  it("counts the records of a list and of an API key", async () => {
    const { projectId, apiKey, keyId, environmentId } = await newWorld();
    const user = await developer();
    const operations = Array.from({ length: 100 }, () => ({
      kind: "tag.create",
      input: { name: unique("tag"), color: "#2f9e44" },
    }));
    const list = await callWith(quota, "POST", "/api/v1/operations", {
      token: user.token,
      body: { projectId, operations },
    });
    expect([outcome(list), await recordsOf(user)]).toEqual(["200", 100]);
    expect(outcome(await createTag(projectId, user.token))).toBe(TOO_MANY);
    const { id: flagId } = await newFlag(projectId);
    await wrote({ kind: "key", id: keyId, token: apiKey }, QUOTA);
    const strategy = await callWith(quota, "PUT", `/api/v1/flags/${flagId}/strategies`, {
      token: apiKey,
      body: { environmentId, enabled: true },
    });
    expect(outcome(strategy)).toBe(TOO_MANY);
  });

  it("leaves reads, dry runs and sign-ins possible", async () => {
    const { projectId, environmentId } = await newWorld();
    const { id, email } = await member("DEVELOPER", PASSWORD);
    const { accessToken: token } = (await login(email, PASSWORD)).body;
    const { id: flagId } = await newFlag(projectId);
    await wrote({ kind: "user", id, token }, QUOTA);
    expect(outcome(await createTag(projectId, token))).toBe(TOO_MANY);
    const path = `/api/v1/flags/${flagId}/strategies`;
    expect(outcome(await callWith(quota, "GET", path, { token }))).toBe("200");
    const dryRun = await callWith(quota, "PUT", `${path}?dryRun=true`, {
      token,
      body: { environmentId, enabled: true },
    });
    expect(outcome(dryRun)).toBe("200");
    const body = { email, password: PASSWORD };
    expect((await callWith(quota, "POST", "/api/v1/auth/login", { body })).status).toBe(200);
  });
});
