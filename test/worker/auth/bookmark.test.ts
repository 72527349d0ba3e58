import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call } from "../support/client.ts";
import { ADMIN, adminToken } from "../support/people.ts";
import { callWith } from "../support/call-with.ts";
import { newProject } from "../support/world.ts";

/** The real D1 database, which records each prepared statement and where its session starts. */
function recordingDatabase() {
  const queries: [from: string, sql: string][] = [];
  const DB = {
    withSession(from: string) {
      const session = env.DB.withSession(from);
      return {
        prepare(sql: string) {
          queries.push([from, sql]);
          return session.prepare(sql);
        },
        batch: (statements: D1PreparedStatement[]) => session.batch(statements),
        getBookmark: () => session.getBookmark(),
      };
    },
  } as unknown as D1Database;
  return { DB, queries };
}

async function bookmarkHeader() {
  const answer = await call("GET", "/api/v1/projects", { token: await adminToken() });
  return { "X-D1-Bookmark": answer.headers.get("X-D1-Bookmark") ?? "" };
}

it("a request with a D1 bookmark reads its data from that bookmark on, but reads the session from the primary database", async () => {
  const token = await adminToken();
  const headers = await bookmarkHeader();
  const { DB, queries } = recordingDatabase();
  const answer = await callWith({ DB }, "GET", "/api/v1/projects", { token, headers });
  expect(answer.status).toBe(200);
  const readFrom = (table: string) =>
    queries.filter(([, sql]) => sql.includes(`from "${table}"`)).map(([from]) => from);
  expect(readFrom("sessions")).toEqual(["first-primary"]);
  expect(readFrom("projects")).toEqual([headers["X-D1-Bookmark"]]);
});

it("a login ignores a D1 bookmark, because a replica may still have an old password", async () => {
  const headers = await bookmarkHeader();
  const { DB, queries } = recordingDatabase();
  const answer = await callWith({ DB }, "POST", "/api/v1/auth/login", { body: ADMIN, headers });
  expect(answer.status).toBe(200);
  expect(new Set(queries.map(([from]) => from))).toEqual(new Set(["first-primary"]));
});

it("a write ignores a D1 bookmark, because on a replica that lags a change may look already made", async () => {
  const { id, name } = await newProject();
  const token = await adminToken();
  const headers = await bookmarkHeader();
  const { DB, queries } = recordingDatabase();
  const options = { token, headers, body: { name } };
  const answer = await callWith({ DB }, "PUT", `/api/v1/projects/${id}`, options);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("X-D1-Bookmark")).toMatch(/^[0-9a-f-]+$/);
  expect(new Set(queries.map(([from]) => from))).toEqual(new Set(["first-primary"]));
});
