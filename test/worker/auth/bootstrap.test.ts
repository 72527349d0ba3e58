import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { outcome, tally } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { callWith } from "../support/call-with.ts";
import { ADMIN, person } from "../support/people.ts";
import { wholeDatabase } from "../support/records.ts";
import { member } from "../support/sessions.ts";

const unset = (name: keyof Env) => ({ [name]: undefined }) as Partial<Env>;
const login = (body: object = ADMIN) => call("POST", "/api/v1/auth/login", { body });

describe("the first administrator", () => {
  beforeEach(async () => {
    await env.DB.batch([env.DB.prepare("DELETE FROM users"), env.DB.prepare("DELETE FROM audit")]);
  });

  it("is created once, even by ten simultaneous first logins, and the creation is audited", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => login()));
    expect(tally(answers)).toEqual({ "200": 10 });
    const { users, audit } = await wholeDatabase();
    expect(users).toMatchObject([{ email: ADMIN.email, role: "ADMIN", status: "ACTIVE" }]);
    const created = audit?.filter(({ action }) => action === "user.created");
    expect(created).toMatchObject([{ category: "security", actor_kind: "system" }]);
    expect(JSON.stringify(audit)).not.toContain(ADMIN.password);
  });

  it("is created by a login only when the password is right", async () => {
    expect(outcome(await login({ ...ADMIN, password: "wrong-password" }))).toBe(
      "401 INVALID_CREDENTIALS",
    );
    expect(outcome(await login())).toBe("200");
  });

  it("is not created when another administrator exists", async () => {
    await member("ADMIN", "a quite secret password");
    expect(outcome(await login())).toBe("401 INVALID_CREDENTIALS");
    expect((await wholeDatabase())["users"]).toHaveLength(1);
  });

  it("is created when users exist, but no administrator", async () => {
    await person("DEVELOPER");
    expect(outcome(await login())).toBe("200");
  });

  it("is not created again after its deletion when another administrator exists", async () => {
    await login();
    await member("ADMIN", "a quite secret password");
    await env.DB.prepare("DELETE FROM users WHERE email = ?").bind(ADMIN.email).run();
    expect(outcome(await login())).toBe("401 INVALID_CREDENTIALS");
  });

  it.each<[string, Partial<Env>]>([
    ["no e-mail address", unset("BOOTSTRAP_ADMIN_EMAIL")],
    ["no password", unset("BOOTSTRAP_ADMIN_PASSWORD")],
    ["an empty password", { BOOTSTRAP_ADMIN_PASSWORD: "" }],
    ["a short password", { BOOTSTRAP_ADMIN_PASSWORD: "short" }],
    ["its e-mail address as password", { BOOTSTRAP_ADMIN_PASSWORD: ADMIN.email }],
  ])(
    "is not created when the settings contain %s, and its login returns 401",
    async (_, changes) => {
      const password = changes.BOOTSTRAP_ADMIN_PASSWORD ?? ADMIN.password;
      const body = { email: ADMIN.email, password: password === "" ? "anything" : password };
      const answer = await callWith(changes, "POST", "/api/v1/auth/login", { body });
      expect(outcome(answer)).toBe("401 INVALID_CREDENTIALS");
      expect((await wholeDatabase())["users"]).toEqual([]);
    },
  );
});
