import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { newMember, PASSWORD } from "../support/mailbox.ts";
import { adminToken, person } from "../support/people.ts";

const HOUR_MS = 3_600_000;
const read = async () => call("GET", "/api/v1/settings", { token: await adminToken() });
const change = async (body: object, headers = {}) =>
  call("PUT", "/api/v1/settings", { token: await adminToken(), body, headers });

describe("the settings of the service", () => {
  afterEach(() => env.DB.exec("DELETE FROM settings"));

  it("have defaults, keep the fields that an update omits, and reject an invalid sessionTimeoutHours", async () => {
    expect((await read()).body).toEqual({
      requireMfa: false,
      sessionTimeoutHours: 720,
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
    expect(answers.map((answer) => answer.status).toSorted((a, b) => a - b)).toEqual([
      200, 412, 412,
    ]);
  });

  it("can only be read and changed by administrators", async () => {
    for (const role of ["VIEWER", "DEVELOPER"] as const) {
      const { token } = await person(role);
      expect((await call("GET", "/api/v1/settings", { token })).status).toBe(403);
      expect((await call("PUT", "/api/v1/settings", { token, body: {} })).status).toBe(403);
    }
  });

  it("end sessions that are not refreshed within sessionTimeoutHours, also when the timeout is raised after the refused refresh", async () => {
    const member = await newMember();
    const refresh = (refreshToken: string) =>
      call("POST", "/api/v1/auth/refresh", { body: { refreshToken } });
    const alive = await refresh(member.refreshToken);
    expect(alive.status).toBe(200);
    // Moves the last refresh two hours back, because the shortest timeout is one hour.
    await env.DB.exec("DELETE FROM settings");
    const object = env.REFRESH_FAMILIES.getByName(alive.body.refreshToken.split(".")[0]);
    const { runInDurableObject } = await import("cloudflare:test");
    const moveBack = () =>
      runInDurableObject(object, (_, { storage }) => {
        const family = storage.kv.get<{ refreshedAt: number }>("family");
        storage.kv.put("family", { ...family, refreshedAt: Date.now() - 2 * HOUR_MS });
      });
    await moveBack();
    await change({ sessionTimeoutHours: 3 });
    const inTime = await refresh(alive.body.refreshToken);
    expect(inTime.status).toBe(200);
    await moveBack();
    await change({ sessionTimeoutHours: 1 });
    const over = await refresh(inTime.body.refreshToken);
    expect([over.status, over.body.code]).toEqual([401, "UNAUTHORIZED"]);
    await change({ sessionTimeoutHours: 3 });
    expect((await refresh(inTime.body.refreshToken)).status).toBe(401);
  });

  it("give users 48 hours to set up a second factor when it becomes required, and then restrict them to their own account", async () => {
    const member = await newMember();
    const deadline = (await change({ requireMfa: true })).body.mfaEnrollmentDeadline;
    expect(Math.abs(Date.parse(deadline) - Date.now() - 48 * HOUR_MS)).toBeLessThan(60_000);
    const body = { email: member.email, password: PASSWORD };
    const login = await call("POST", "/api/v1/auth/login", { body });
    expect(login.body.mfaEnrollmentDeadline).toBe(deadline);
    const projects = () => call("GET", "/api/v1/projects", { token: member.token });
    expect((await projects()).status).toBe(200);
    // Saving the settings again does not restart the 48 hours.
    expect((await change({ requireMfa: true })).body.mfaEnrollmentDeadline).toBe(deadline);
    await env.DB.prepare("UPDATE settings SET require_mfa_since = ?")
      .bind(Date.now() - 49 * HOUR_MS)
      .run();
    const overdue = await projects();
    expect([overdue.status, overdue.body.code]).toEqual([403, "FORBIDDEN"]);
    expect((await call("GET", "/api/v1/auth/me", { token: member.token })).status).toBe(200);
    const enrol = await call("POST", "/api/v1/auth/mfa/enroll", {
      token: member.token,
      body: { currentPassword: PASSWORD },
    });
    expect(enrol.status).toBe(200);
    await env.DB.exec("DELETE FROM settings");
    expect((await projects()).status).toBe(200);
  });
});
