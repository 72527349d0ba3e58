import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { login } from "../support/locks.ts";
import { newMember, PASSWORD } from "../support/mailbox.ts";
import { refreshFamily, me, refresh } from "../support/sessions.ts";
import { asAdmin, outcome, tally } from "../support/outcomes.ts";

const HOUR_MS = 3_600_000;
const read = () => asAdmin("GET", "/api/v1/settings");
const change = (body: object, headers = {}) => asAdmin("PUT", "/api/v1/settings", body, headers);

describe("the settings of the service", () => {
  afterEach(() => env.DB.exec("DELETE FROM settings"));

  it("have defaults, keep the fields that an update omits, and reject an invalid sessionTimeoutHours", async () => {
    expect((await read()).body).toEqual({
      requireMfa: false,
      sessionTimeoutHours: 720,
      passwordSignIn: "everyone",
      mfaEnrollmentDeadline: null,
      version: 0,
      updatedAt: null,
    });
    const changed = await change({ sessionTimeoutHours: 8 });
    expect(changed.body).toMatchObject({ requireMfa: false, sessionTimeoutHours: 8, version: 1 });
    expect((await change({ requireMfa: true })).body).toMatchObject({
      requireMfa: true,
      sessionTimeoutHours: 8,
    });
    for (const sessionTimeoutHours of [0, 721, 1.5, "8"])
      expect((await change({ sessionTimeoutHours })).status).toBe(400);
  });

  it("are changed by only one of three simultaneous updates with the same If-Match", async () => {
    await change({ sessionTimeoutHours: 10 });
    const etag = (await read()).headers.get("ETag") ?? "";
    const answers = await Promise.all(
      [11, 12, 13].map((hours) => change({ sessionTimeoutHours: hours }, { "If-Match": etag })),
    );
    expect(tally(answers)).toEqual({ "200": 1, "412 CONFLICT": 2 });
  });

  it("end sessions that are not refreshed within sessionTimeoutHours, also when the timeout is raised after the refused refresh", async () => {
    const member = await newMember();
    const alive = await refresh(member.refreshToken);
    expect(alive.status).toBe(200);
    // Moves the last refresh two hours back, because the shortest timeout is one hour.
    await env.DB.exec("DELETE FROM settings");
    const moveBack = () =>
      runInDurableObject(refreshFamily(member.refreshToken), (_, { storage }) => {
        const family = storage.kv.get<{ refreshedAt: number }>("family");
        storage.kv.put("family", { ...family, refreshedAt: Date.now() - 2 * HOUR_MS });
      });
    await moveBack();
    await change({ sessionTimeoutHours: 3 });
    const inTime = await refresh(alive.body.refreshToken);
    expect(inTime.status).toBe(200);
    await moveBack();
    await change({ sessionTimeoutHours: 1 });
    expect(outcome(await refresh(inTime.body.refreshToken))).toBe("401 UNAUTHORIZED");
    await change({ sessionTimeoutHours: 3 });
    expect((await refresh(inTime.body.refreshToken)).status).toBe(401);
  });

  it("give users 48 hours to set up a second factor when it becomes required, and then restrict them to their own account", async () => {
    const member = await newMember();
    const deadline = (await change({ requireMfa: true })).body.mfaEnrollmentDeadline;
    expect(Math.abs(Date.parse(deadline) - Date.now() - 48 * HOUR_MS)).toBeLessThan(60_000);
    const session = await login(member.email, PASSWORD);
    expect(session.body.mfaEnrollmentDeadline).toBe(deadline);
    const projects = () => call("GET", "/api/v1/projects", { token: member.token });
    expect((await projects()).status).toBe(200);
    // Saving the settings again does not restart the 48 hours.
    expect((await change({ requireMfa: true })).body.mfaEnrollmentDeadline).toBe(deadline);
    await env.DB.prepare("UPDATE settings SET require_mfa_since = ?")
      .bind(Date.now() - 49 * HOUR_MS)
      .run();
    expect(outcome(await projects())).toBe("403 FORBIDDEN");
    expect((await me(member.token)).status).toBe(200);
    const enrol = await call("POST", "/api/v1/auth/mfa/enroll", {
      token: member.token,
      body: { currentPassword: PASSWORD },
    });
    expect(enrol.status).toBe(200);
    await env.DB.exec("DELETE FROM settings");
    expect((await projects()).status).toBe(200);
  });
});
