import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { person } from "../support/people.ts";
import { signedIn } from "../support/sessions.ts";
import { newKey, newWorld, unique } from "../support/world.ts";

const me = (token: string) => call("GET", "/api/v1/auth/me", { token });
const refresh = (refreshToken: string) =>
  call("POST", "/api/v1/auth/refresh", { body: { refreshToken } });
const createProject = (token: string) =>
  call("POST", "/api/v1/projects", { token, body: { name: unique("project") } });
const execute = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

describe("a signed-in user", () => {
  it("gets 401 from the next request and the next refresh after being deleted", async () => {
    const { id, token, refreshToken } = await signedIn("ADMIN");
    expect((await me(token)).status).toBe(200);
    await execute("DELETE FROM users WHERE id = ?", id);
    expect(outcome(await me(token))).toBe("401 UNAUTHORIZED");
    expect(outcome(await createProject(token))).toBe("401 UNAUTHORIZED");
    expect(outcome(await refresh(refreshToken))).toBe("401 UNAUTHORIZED");
  });

  it.each(["DISABLED", "INVITED"])(
    "gets 401 from the next request and the next refresh after getting the status %s",
    async (status) => {
      const { id, token, refreshToken } = await signedIn("ADMIN");
      await execute("UPDATE users SET status = ? WHERE id = ?", status, id);
      expect(outcome(await me(token))).toBe("401 UNAUTHORIZED");
      expect(outcome(await refresh(refreshToken))).toBe("401 UNAUTHORIZED");
    },
  );

  it("has the role from the database, not the role from the token", async () => {
    const { id, token } = await person("VIEWER");
    expect(outcome(await createProject(token))).toBe("403 FORBIDDEN");
    await execute("UPDATE users SET role = 'ADMIN' WHERE id = ?", id);
    expect(outcome(await createProject(token))).toBe("201");
    await execute("UPDATE users SET role = 'DEVELOPER' WHERE id = ?", id);
    expect(outcome(await createProject(token))).toBe("403 FORBIDDEN");
    expect((await me(token)).body.role).toBe("DEVELOPER");
  });
});

describe("an API key", () => {
  it.each(["SERVER", "FRONTEND"] as const)(
    "of type %s gets 403 from /auth/me, /auth/logout and /auth/select-project",
    async (keyType) => {
      const { environmentId } = await newWorld();
      const { apiKey: token } = await newKey(environmentId, keyType);
      expect(outcome(await me(token))).toBe("403 FORBIDDEN");
      expect(outcome(await call("POST", "/api/v1/auth/logout", { token }))).toBe("403 FORBIDDEN");
      const select = await call("POST", "/api/v1/auth/select-project", { token, body: {} });
      expect(outcome(select)).toBe("403 FORBIDDEN");
    },
  );

  it("gets 401 when one of its characters differs", async () => {
    const { apiKey } = await newWorld();
    const other = (apiKey.startsWith("A") ? "B" : "A") + apiKey.slice(1);
    expect(outcome(await call("GET", "/api/v1/flags", { token: apiKey }))).toBe("200");
    expect(outcome(await call("GET", "/api/v1/flags", { token: other }))).toBe("401 UNAUTHORIZED");
  });
});

describe("the access token of an administrator", () => {
  it("gets 401 from the client API, which accepts only API keys", async () => {
    const { token } = await person("ADMIN");
    const calls = [
      call("GET", "/api/client/features", { token }),
      call("POST", "/api/client/evaluate", { token, body: { context: {} } }),
    ];
    const answers = await Promise.all(calls);
    expect(answers.map(outcome)).toEqual(["401 UNAUTHORIZED", "401 UNAUTHORIZED"]);
  });
});
