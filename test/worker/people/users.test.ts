import { describe, expect, it } from "vitest";
import { call } from "../support/client.ts";
import { login, WRONG } from "../support/locks.ts";
import { newMember, PASSWORD } from "../support/mailbox.ts";
import { actionsAbout } from "../support/records.ts";
import { asAdmin, invalidFields, outcome } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { refresh } from "../support/sessions.ts";
import { newToken } from "../support/tokens.ts";

describe("users", () => {
  it("are listed and read without secrets", async () => {
    const member = await newMember();
    const list = await asAdmin("GET", "/api/v1/users");
    expect(list.status).toBe(200);
    expect(list.headers.get("X-Total-Count")).toBe(String(list.body.length));
    const one = await asAdmin("GET", `/api/v1/users/${member.id}`);
    expect(list.body).toContainEqual(one.body);
    expect(Object.keys(one.body).toSorted((a, b) => a.localeCompare(b))).toEqual([
      "avatar",
      "breakGlass",
      "createdAt",
      "email",
      "id",
      "invitationPending",
      "lastActiveAt",
      "locale",
      "name",
      "projectRoles",
      "role",
      "status",
    ]);
  });

  it("are searched by a part of their name or e-mail address, without regard to case", async () => {
    const { id, email } = await newMember();
    const name = `Ärztin ${crypto.randomUUID()}`;
    await asAdmin("PUT", `/api/v1/users/${id}`, { name });
    const search = async (text: string) => {
      const path = `/api/v1/users?search=${encodeURIComponent(text)}`;
      const { body } = await asAdmin("GET", path);
      return body.map((user: { id: number }) => user.id);
    };
    expect(await search(email.toUpperCase())).toEqual([id]);
    expect(await search(name.replace("Ärztin", "äRZTIN"))).toEqual([id]);
    expect(await search(`no ${name}`)).toEqual([]);
  });

  it("keep their sessions when they are renamed", async () => {
    const member = await newMember("VIEWER");
    const path = `/api/v1/users/${member.id}`;
    expect((await asAdmin("PUT", path, { name: "Renamed" })).body.name).toBe("Renamed");
    expect((await refresh(member.refreshToken)).status).toBe(200);
    expect((await asAdmin("PUT", path, { role: "DEVELOPER" })).body.role).toBe("DEVELOPER");
    expect(await actionsAbout(member.id)).toContain("user.updated");
  });

  it("cannot log in while they are disabled, and can when they are enabled again", async () => {
    const { id, email } = await newMember();
    const path = `/api/v1/users/${id}`;
    expect((await asAdmin("PUT", path, { status: "DISABLED" })).body.status).toBe("DISABLED");
    expect(outcome(await login(email, PASSWORD))).toBe(WRONG);
    await asAdmin("PUT", path, { status: "ACTIVE" });
    expect(outcome(await login(email, PASSWORD))).toBe("200");
  });

  it("cannot get the status INVITED, nor the status ACTIVE before they accept the invitation", async () => {
    const invited = await asAdmin("POST", "/api/v1/users/invite", {
      email: `guest-${crypto.randomUUID()}@example.com`,
      role: "VIEWER",
    });
    const path = `/api/v1/users/${invited.body.id}`;
    expect((await asAdmin("PUT", path, { status: "INVITED" })).status).toBe(400);
    const refused = await asAdmin("PUT", path, { status: "ACTIVE" });
    expect(outcome(refused)).toBe("409 CONFLICT");
    expect(refused.body.error).toContain("send it again with POST /api/v1/users/{id}/invite");
  });
});

describe("the account of the caller", () => {
  it("accepts a new name, locale and avatar, and returns an error for each invalid field", async () => {
    const { token } = await newMember();
    const body = { name: "李雷", locale: "zh-CN", avatar: "https://example.com/a.png" };
    const answer = await call("PUT", "/api/v1/auth/me", { token, body });
    expect([answer.status, answer.body]).toMatchObject([200, body]);
    const faults = await call("PUT", "/api/v1/auth/me", {
      token,
      body: { locale: "not a tag", avatar: "javascript:alert(1)", password: "short" },
    });
    expect(invalidFields(faults)).toEqual(["avatar", "locale", "password"]);
  });

  it("needs the current password for a password change, and the change ends all other sessions", async () => {
    const member = await newMember();
    const other = await login(member.email, PASSWORD);
    const change = (body: object) => call("PUT", "/api/v1/auth/me", { token: member.token, body });
    for (const currentPassword of [undefined, "wrong password"]) {
      const refused = await change({ password: "another password", currentPassword });
      expect([refused.status, refused.body.details[0].field]).toEqual([400, "currentPassword"]);
    }
    const changed = await change({ password: "another password", currentPassword: PASSWORD });
    expect(changed.status).toBe(200);
    expect((await refresh(other.body.refreshToken)).status).toBe(401);
    expect((await refresh(member.refreshToken)).status).toBe(200);
    expect((await login(member.email, PASSWORD)).status).toBe(401);
    expect((await login(member.email, "another password")).status).toBe(200);
  });

  it("gets a new password through the link of a reset e-mail; the link works once, and the reset ends all sessions and no tokens", async () => {
    const member = await newMember();
    const forgot = (email: string) =>
      member.mailbox.call("POST", "/api/v1/auth/forgot-password", { body: { email } });
    const known = await forgot(member.email.toUpperCase());
    const unknown = await forgot("nobody@example.com");
    expect([known.status, known.body]).toEqual([202, ""]);
    expect([unknown.status, unknown.body]).toEqual([202, ""]);
    const resets = member.mailbox.mails.filter((mail) => mail.subject.startsWith("Reset"));
    expect(resets.map((mail) => mail.to)).toEqual([member.email]);
    const { token } = await newToken({ userId: member.id, scopes: ["read"] });
    const body = { token: member.mailbox.lastToken(member.email), password: "a newer password" };
    const reset = await call("POST", "/api/v1/auth/reset-password", { body });
    expect([reset.status, reset.body.email]).toEqual([200, member.email]);
    expect((await refresh(member.refreshToken)).status).toBe(401);
    expect((await call("GET", "/api/v1/projects", { token })).status).toBe(200);
    expect((await call("POST", "/api/v1/auth/reset-password", { body })).status).toBe(401);
    expect((await login(member.email, "a newer password")).status).toBe(200);
  });

  it("lists its sessions and ends one of them; ending a session of another user returns 404", async () => {
    const member = await newMember();
    await call("POST", "/api/v1/auth/login", {
      body: { email: member.email, password: PASSWORD },
      headers: { "User-Agent": "a browser", "CF-Connecting-IP": "203.0.113.7" },
    });
    const list = () => call("GET", "/api/v1/auth/sessions", { token: member.token });
    const before = (await list()).body;
    expect(before.map((one: { current: boolean }) => one.current)).toEqual([false, true]);
    expect(before[0]).toMatchObject({ userAgent: "a browser", ip: "203.0.113.7" });
    const path = `/api/v1/auth/sessions/${before[0].id}`;
    expect((await call("DELETE", path, { token: await adminToken() })).status).toBe(404);
    expect((await call("DELETE", path, { token: member.token })).status).toBe(204);
    expect((await list()).body).toHaveLength(1);
  });
});
