import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { person } from "../support/people.ts";
import { signedIn, me, refresh } from "../support/sessions.ts";
import { unique } from "../support/world.ts";

const createProject = (token: string) =>
  call("POST", "/api/v1/projects", { token, body: { name: unique("project") } });
const execute = (sql: string, ...values: unknown[]) =>
  env.DB.prepare(sql)
    .bind(...values)
    .run();

describe("a signed-in user", () => {
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
