import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { login } from "../support/locks.ts";
import { PASSWORD } from "../support/mailbox.ts";
import { outcome } from "../support/outcomes.ts";
import { call } from "../support/client.ts";
import { person, signIn } from "../support/people.ts";
import { auditOf, rows } from "../support/records.ts";
import { claimsOf, member, signedIn, me, refresh } from "../support/sessions.ts";
import { newEnvironment, newFlag, newProject, newSegment } from "../support/world.ts";

const select = (token: string, projectId: unknown) =>
  call("POST", "/api/v1/auth/select-project", { token, body: { projectId } });

const ids = (items: { id: number }[]) => items.map(({ id }) => id);

describe("POST /auth/logout", () => {
  it("returns 204 without a body, rejects the refresh token with UNAUTHORIZED, and is audited", async () => {
    const { token, refreshToken } = await signIn();
    const answer = await call("POST", "/api/v1/auth/logout", { token });
    expect([answer.status, answer.body]).toEqual([204, ""]);
    expect(outcome(await refresh(refreshToken))).toBe("401 UNAUTHORIZED");
    expect(await auditOf(answer)).toMatchObject([{ action: "session.ended" }]);
  });

  it("ends the session of the access token, even after a refresh of the session, and no other session", async () => {
    const [one, other] = [await signIn(), await signIn()];
    const renewed = (await refresh(one.refreshToken)).body;
    await call("POST", "/api/v1/auth/logout", { token: one.token });
    expect((await refresh(renewed.refreshToken)).status).toBe(401);
    expect((await refresh(other.refreshToken)).status).toBe(200);
  });

  it("ends the access tokens of the session at once", async () => {
    const { token, refreshToken } = await signedIn("VIEWER");
    const renewed = (await refresh(refreshToken)).body;
    await call("POST", "/api/v1/auth/logout", { token });
    for (const one of [token, renewed.token]) {
      expect(outcome(await me(one))).toBe("401 UNAUTHORIZED");
      expect(outcome(await call("POST", "/api/v1/auth/logout", { token: one }))).toBe(
        "401 UNAUTHORIZED",
      );
    }
  });
});

describe("a sign-in of a user with 50 sessions", () => {
  it("ends sessions whose refresh token was reused, then the one that was refreshed longest ago, and no session of other users", async () => {
    const other = await signedIn("VIEWER");
    const { id, email } = await member("VIEWER", PASSWORD);
    await env.DB.prepare("DELETE FROM sessions WHERE user_id = ?").bind(id).run();
    // Session 0 was refreshed longest ago, and session 49 was created longest ago.
    await env.DB.prepare(
      `INSERT INTO sessions (id, user_id, created_at, refreshed_at, reused_at)
       SELECT value || '-of-' || CAST(?1 AS INTEGER), ?1, 1000 - value, 2000 + value, iif(value = 30, 3000, NULL)
       FROM json_each(?2)`,
    )
      .bind(id, JSON.stringify([...Array(50).keys()]))
      .run();
    const ended = async () => {
      expect((await login(email, PASSWORD)).status).toBe(200);
      const left = await rows("SELECT id FROM sessions WHERE user_id = ?", id);
      expect(left).toHaveLength(50);
      const names = new Set(left.map((row) => row["id"]));
      return [...Array(50).keys()].filter((n) => !names.has(`${n}-of-${id}`));
    };
    expect(await ended()).toEqual([30]);
    expect(await ended()).toEqual([0, 30]);
    expect(outcome(await me(other.token))).toBe("200");
  });
});

describe("POST /auth/select-project", () => {
  it("returns the user, the project and an access token with the project id, and no refresh token", async () => {
    const project = await newProject();
    const { token } = await signedIn("VIEWER");
    const answer = await select(token, project.id);
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).toSorted()).toEqual([
      "accessToken",
      "project",
      "token",
      "user",
    ]);
    expect(answer.body.project).toEqual({ ...project, ownRole: "VIEWER" });
    expect(claimsOf(answer.body.token).projectId).toBe(project.id);
  });

  it("keeps the project across refreshes with the caller's refresh token until another project is selected", async () => {
    const [first, second] = [await newProject(), await newProject()];
    const { token, refreshToken } = await signedIn("VIEWER");
    await select(token, first.id);
    const renewed = (await refresh(refreshToken)).body;
    expect(claimsOf(renewed.token).projectId).toBe(first.id);
    await select(renewed.token, second.id);
    const again = (await refresh(renewed.refreshToken)).body;
    expect(claimsOf(again.token).projectId).toBe(second.id);
    expect(claimsOf((await refresh(again.refreshToken)).body.token).projectId).toBe(second.id);
  });

  it("is dropped at the next refresh when the project was deleted", async () => {
    const project = await newProject();
    const { token, refreshToken } = await signedIn("ADMIN");
    const selected = (await select(token, project.id)).body;
    const path = `/api/v1/projects/${project.id}`;
    expect(outcome(await call("DELETE", path, { token: selected.token }))).toBe("204");
    const renewed = (await refresh(refreshToken)).body;
    expect(claimsOf(renewed.token)).not.toHaveProperty("projectId");
    expect(outcome(await call("GET", "/api/v1/flags", { token: renewed.token }))).toBe("200");
  });

  it("is audited, unless the project was selected already", async () => {
    const project = await newProject();
    const { id, token } = await signedIn("VIEWER");
    const first = await select(token, project.id);
    expect(await auditOf(first)).toMatchObject([
      {
        action: "session.project-selected",
        category: "security",
        entity_id: id,
        before: { projectId: null },
        after: { projectId: project.id },
      },
    ]);
    expect(await auditOf(await select(token, project.id))).toEqual([]);
  });

  it("makes the project the default of lists and new environments", async () => {
    const [mine, other] = [await newProject(), await newProject()];
    const flag = await newFlag(mine.id);
    await newFlag(other.id);
    const segment = await newSegment(mine.id, []);
    await newSegment(other.id, []);
    const { token } = (await select((await signedIn("ADMIN")).token, mine.id)).body;
    const made = await call("POST", "/api/v1/environments", { token, body: { name: "prod" } });
    expect([made.status, made.body.projectId]).toEqual([201, mine.id]);
    const foreign = await newEnvironment(other.id);
    const list = (path: string) => call("GET", `/api/v1/${path}`, { token });
    expect(ids((await list("flags")).body.items)).toEqual([flag.id]);
    expect(ids((await list("flags/enriched")).body.items)).toEqual([flag.id]);
    expect(ids((await list("segments")).body)).toEqual([segment.id]);
    expect(ids((await list("environments")).body)).toEqual([made.body.id]);
    const asked = await list(`environments?projectId=${other.id}`);
    expect(ids(asked.body)).toEqual([foreign.id]);
  });

  it("returns 404 for an unknown project, and keeps the session", async () => {
    const { token, refreshToken } = await signedIn("VIEWER");
    expect(outcome(await select(token, 999_999))).toBe("404 NOT_FOUND");
    expect(outcome(await refresh(refreshToken))).toBe("200");
  });

  it.each([undefined, "1", 0, -1, 1.5, 2 ** 53])("returns 400 for projectId %j", async (id) => {
    const { token } = await person("VIEWER");
    expect(outcome(await select(token, id))).toBe("400 VALIDATION_ERROR");
  });
});
