import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import { callWith } from "../support/call-with.ts";
import { refreshFamily, signedIn, refresh } from "../support/sessions.ts";

describe("the Durable Object of a session's refresh tokens", () => {
  it("accepts its first refresh token, and returns TOKEN_REUSE for the used and then for the current one, also after evictions from memory", async () => {
    const { refreshToken } = await signedIn("VIEWER");
    await evictDurableObject(refreshFamily(refreshToken));
    const { status, body } = await refresh(refreshToken);
    expect(status).toBe(200);
    await evictDurableObject(refreshFamily(refreshToken));
    expect(outcome(await refresh(refreshToken))).toBe("401 TOKEN_REUSE");
    await evictDurableObject(refreshFamily(refreshToken));
    expect(outcome(await refresh(body.refreshToken))).toBe("401 TOKEN_REUSE");
  });

  it("deletes its storage on its alarm, and then rejects its refresh tokens with UNAUTHORIZED", async () => {
    const { refreshToken } = await signedIn("VIEWER");
    const second = (await refresh(refreshToken)).body.refreshToken;
    const family = refreshFamily(refreshToken);
    expect(await runDurableObjectAlarm(family)).toBe(true);
    const left = await runInDurableObject(family, (_, state) => state.storage.list());
    expect([...left.keys()]).toEqual([]);
    expect(outcome(await refresh(refreshToken))).toBe("401 UNAUTHORIZED");
    expect(outcome(await refresh(second))).toBe("401 UNAUTHORIZED");
  });

  it("sets its alarm to the time when the newest refresh token expires", async () => {
    const { refreshToken } = await signedIn("VIEWER");
    const changes = { SERVICE_JWT_REFRESH_TOKEN_TTL_DAYS: "7" };
    const before = Date.now();
    const path = "/api/v1/auth/refresh";
    await callWith(changes, "POST", path, { body: { refreshToken } });
    const family = refreshFamily(refreshToken);
    const alarm = await runInDurableObject(family, (_, state) => state.storage.getAlarm());
    expect(alarm).toBeGreaterThanOrEqual(before + 7 * 86_400_000);
    expect(alarm).toBeLessThan(Date.now() + 7 * 86_400_000 + 1);
  });

  it("does not store the secret part of a refresh token", async () => {
    const { refreshToken } = await signedIn("VIEWER");
    const second: string = (await refresh(refreshToken)).body.refreshToken;
    const stored = await runInDurableObject(refreshFamily(refreshToken), async (_, state) =>
      JSON.stringify([...(await state.storage.list())]),
    );
    for (const token of [refreshToken, second])
      expect(stored).not.toContain(token.split(".")[1] ?? "");
  });
});
