import { env } from "cloudflare:workers";
import { expect, it } from "vitest";
import { call } from "../support/client.ts";
import { adminToken } from "../support/people.ts";
import { callWith } from "../support/call-with.ts";

it("a request with a D1 bookmark reads its data in a D1 session that starts at the bookmark, and reads the user in a D1 session that starts at the primary database", async () => {
  const token = await adminToken();
  const first = await call("GET", "/api/v1/projects", { token });
  const bookmark = first.headers.get("X-D1-Bookmark") ?? "";
  const queries: [from: string, sql: string][] = [];
  const DB = {
    withSession(from: string) {
      const session = env.DB.withSession(from);
      return {
        prepare(sql: string) {
          queries.push([from, sql]);
          return session.prepare(sql);
        },
        getBookmark: () => session.getBookmark(),
      };
    },
  } as unknown as D1Database;
  const headers = { "X-D1-Bookmark": bookmark };
  const answer = await callWith({ DB }, "GET", "/api/v1/projects", { token, headers });
  expect(answer.status).toBe(200);
  const readFrom = (table: string) =>
    queries.filter(([, sql]) => sql.includes(`from "${table}"`)).map(([from]) => from);
  expect(readFrom("users")).toEqual(["first-primary"]);
  expect(readFrom("projects")).toEqual([bookmark]);
});
