import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { newRefreshToken } from "../../../src/workflows/sign-in/refresh-token.ts";
import type { Rotation } from "../../../src/core/sessions/refresh-family.ts";
import { callWith } from "../support/call-with.ts";
import { asAdmin, outcome, tally } from "../support/outcomes.ts";
import { call, type Json } from "../support/client.ts";
import { signIn } from "../support/people.ts";
import { actionsAbout, auditOf, wholeDatabase } from "../support/records.ts";
import { claimsOf, refreshFamily, signedIn, me, refresh } from "../support/sessions.ts";

const DAY_MS = 86_400_000;
const sessionRow = (id: string) =>
  env.DB.prepare("SELECT * FROM sessions WHERE id = ?").bind(id).first<Json>();
const setRefreshedAt = (id: string, at: number | null) =>
  env.DB.prepare("UPDATE sessions SET refreshed_at = ? WHERE id = ?").bind(at, id).run();

/** The Durable Objects of refresh families, counting how many of them the Worker calls. */
function countedFamilies() {
  const count = { calls: 0 };
  const REFRESH_FAMILIES = {
    getByName(name: string) {
      count.calls += 1;
      return env.REFRESH_FAMILIES.getByName(name);
    },
  } as unknown as Env["REFRESH_FAMILIES"];
  return { count, REFRESH_FAMILIES };
}

describe("POST /auth/refresh", () => {
  it("returns the fields of a login response except deviceToken, with a new refresh token for the same session", async () => {
    const session = await signIn();
    const answer = await refresh(session.refreshToken);
    expect(answer.status).toBe(200);
    const { deviceToken: _, ...fields } = session;
    expect(Object.keys(answer.body).toSorted()).toEqual(Object.keys(fields).toSorted());
    expect(answer.body.accessToken).toBe(answer.body.token);
    expect(answer.body.refreshToken).not.toBe(session.refreshToken);
    expect(claimsOf(answer.body.token).sid).toBe(claimsOf(session.token).sid);
    expect((await me(answer.body.token)).status).toBe(200);
  });

  it("returns TOKEN_REUSE for a used refresh token, and ends its session: all its tokens are rejected", async () => {
    const { refreshToken, id, token } = await signedIn("DEVELOPER");
    const second = (await refresh(refreshToken)).body;
    const reuse = await refresh(refreshToken);
    expect(outcome(reuse)).toBe("401 TOKEN_REUSE");
    for (const one of [token, second.token])
      expect(outcome(await me(one))).toBe("401 UNAUTHORIZED");
    expect(outcome(await refresh(second.refreshToken))).toBe("401 TOKEN_REUSE");
    expect(await auditOf(reuse)).toMatchObject([
      { action: "session.reuse", category: "security", entity_type: "user", entity_id: id },
    ]);
  });

  it("audits the reuse of a session once, however often its tokens are presented", async () => {
    const { refreshToken, id } = await signedIn("DEVELOPER");
    await refresh(refreshToken);
    await Promise.all(Array.from({ length: 10 }, () => refresh(refreshToken)));
    await refresh(refreshToken);
    const actions = await actionsAbout(id);
    expect(actions).toEqual(["session.reuse"]);
  });

  it("audits a refused refresh of an expired session and of an inactive user, once, and deletes the session", async () => {
    const expired = await signedIn("DEVELOPER");
    await runInDurableObject(refreshFamily(expired.refreshToken), (_, { storage }) => {
      const family = storage.kv.get<object>("family");
      storage.kv.put("family", { ...family, expiresAt: Date.now() - 1 });
    });
    const inactive = await signedIn("DEVELOPER");
    await env.DB.prepare("UPDATE users SET status = 'DISABLED' WHERE id = ?")
      .bind(inactive.id)
      .run();
    for (const { id, refreshToken, familyId } of [expired, inactive]) {
      const refused = await refresh(refreshToken);
      expect(outcome(refused)).toBe("401 UNAUTHORIZED");
      expect(await auditOf(refused)).toMatchObject([
        { action: "session.refresh-refused", category: "security", entity_id: id },
      ]);
      expect(await sessionRow(familyId)).toBeNull();
      const again = await refresh(refreshToken);
      expect([outcome(again), await auditOf(again)]).toEqual(["401 UNAUTHORIZED", []]);
    }
  });

  it("audits neither a successful refresh, nor a token of a session that a disabled user had, nor an invented token", async () => {
    const { id, familyId, refreshToken } = await signedIn("VIEWER");
    const renewed = await refresh(refreshToken);
    expect([outcome(renewed), await auditOf(renewed)]).toEqual(["200", []]);
    const { token: invented } = await newRefreshToken(familyId);
    const unknown = await refresh(invented);
    await asAdmin("PUT", `/api/v1/users/${id}`, { status: "DISABLED" });
    const ended = await refresh(renewed.body.refreshToken);
    for (const answer of [unknown, ended])
      expect([outcome(answer), await auditOf(answer)]).toEqual(["401 UNAUTHORIZED", []]);
  });

  it("calls no Durable Object for a refresh token whose session does not exist", async () => {
    const { count, REFRESH_FAMILIES } = countedFamilies();
    const { token } = await newRefreshToken("A".repeat(22));
    const body = { refreshToken: token };
    const answer = await callWith({ REFRESH_FAMILIES }, "POST", "/api/v1/auth/refresh", { body });
    expect([outcome(answer), count.calls]).toEqual(["401 UNAUTHORIZED", 0]);
  });

  it("opens nothing when the session ends during the refresh: both new tokens are rejected", async () => {
    const { token, refreshToken } = await signedIn("VIEWER");
    const REFRESH_FAMILIES = {
      getByName: (name: string) => ({
        refresh: async (...args: [string, Rotation]) => {
          const decision = await env.REFRESH_FAMILIES.getByName(name).refresh(...args);
          await call("POST", "/api/v1/auth/logout", { token });
          return decision;
        },
      }),
    } as unknown as Env["REFRESH_FAMILIES"];
    const body = { refreshToken };
    const raced = await callWith({ REFRESH_FAMILIES }, "POST", "/api/v1/auth/refresh", { body });
    expect(outcome(raced)).toBe("200");
    expect(outcome(await me(raced.body.token))).toBe("401 UNAUTHORIZED");
    expect(outcome(await refresh(raced.body.refreshToken))).toBe("401 UNAUTHORIZED");
  });

  it("writes the time of the refresh to the session at most once a day", async () => {
    const { familyId, refreshToken } = await signedIn("VIEWER");
    const old = Date.now() - DAY_MS;
    await setRefreshedAt(familyId, old);
    const first = await callWith({}, "POST", "/api/v1/auth/refresh", { body: { refreshToken } });
    const written = (await sessionRow(familyId)).refreshed_at;
    expect(written).toBeGreaterThanOrEqual(old + DAY_MS);
    await setRefreshedAt(familyId, written - DAY_MS / 2);
    const body = { refreshToken: first.body.refreshToken };
    await callWith({}, "POST", "/api/v1/auth/refresh", { body });
    expect((await sessionRow(familyId)).refreshed_at).toBe(written - DAY_MS / 2);
  });

  it("keeps the user's other sessions when a refresh token of one session is reused", async () => {
    const [one, other] = [await signIn(), await signIn()];
    await refresh(one.refreshToken);
    expect(outcome(await refresh(one.refreshToken))).toBe("401 TOKEN_REUSE");
    expect(outcome(await refresh(other.refreshToken))).toBe("200");
  });

  it("returns 401 for refresh tokens that were never issued, and ends no session", async () => {
    const { refreshToken, familyId } = await signedIn("VIEWER");
    const stranger = await signedIn("VIEWER");
    const forged = [
      (await newRefreshToken("A".repeat(22))).token,
      (await newRefreshToken(familyId)).token,
      `${familyId}.${stranger.refreshToken.split(".")[1]}`,
      `${familyId}.`,
      familyId,
      `${refreshToken}x`,
      refreshToken.toUpperCase(),
      "nonsense",
      "%00",
    ];
    const before = await wholeDatabase();
    for (const token of forged) expect(outcome(await refresh(token))).toBe("401 UNAUTHORIZED");
    expect(await wholeDatabase()).toEqual(before);
    expect(outcome(await refresh(refreshToken))).toBe("200");
    expect(outcome(await refresh(stranger.refreshToken))).toBe("200");
  });

  it.each([undefined, "", 5, null, "x".repeat(1025)])(
    "returns 400 for the refresh token %j",
    async (token) => {
      expect(outcome(await refresh(token))).toBe("400 VALIDATION_ERROR");
    },
  );

  it("succeeds for exactly one of 50 concurrent requests with the same refresh token, and revokes the new refresh token", async () => {
    const { refreshToken } = await signedIn("VIEWER");
    const answers = await Promise.all(Array.from({ length: 50 }, () => refresh(refreshToken)));
    expect(tally(answers)).toEqual({ "200": 1, "401 TOKEN_REUSE": 49 });
    const winner = answers.find((answer) => answer.status === 200);
    expect(outcome(await refresh(winner?.body.refreshToken))).toBe("401 TOKEN_REUSE");
  });
});
