import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import { asAdmin, outcome } from "../support/outcomes.ts";
import { person } from "../support/people.ts";
import { newFlag, newSegment, newWorld } from "../support/world.ts";

let world: Awaited<ReturnType<typeof newWorld>>;
let anna: Awaited<ReturnType<typeof person>>;
let flag: Json;

const path = (q: string, more = "") =>
  `/api/v1/audit?projectId=${world.projectId}&q=${encodeURIComponent(q)}${more}`;

/** Returns the actions of the records that the search finds, newest first. */
async function found(q: string, more = "", token?: string): Promise<string[]> {
  const answer = token
    ? await call("GET", path(q, more), { token })
    : await asAdmin("GET", path(q, more));
  expect(answer.body.totalItems).toBe(answer.body.items.length);
  return answer.body.items.map(({ action }: Json) => action);
}

beforeAll(async () => {
  world = await newWorld();
  anna = await person("DEVELOPER");
  await env.DB.prepare(
    "UPDATE users SET name = 'Anna Bauer', email = 'a.bauer@example.com' WHERE id = ?",
  )
    .bind(anna.id)
    .run();
  flag = await newFlag(world.projectId, { name: "Checkout", key: "shop.checkout" });
  const change = (body: object, reason: string) =>
    call("PUT", `/api/v1/flags/${flag.id}`, {
      token: anna.token,
      body,
      headers: { "X-Change-Reason": reason },
    });
  await change({ description: "1" }, "100% of users_1 see it, OPS-7");
  await change({ name: "New checkout" }, "100 of usersX1, für alle");
  const { id } = await newSegment(world.projectId, []);
  await asAdmin("PUT", `/api/v1/segments/${id}`, { name: "Beta testers" });
  await asAdmin("DELETE", `/api/v1/segments/${id}`);
});

describe("a text search in the audit trail", () => {
  const UPDATED = "flag.updated";
  it.for([
    ["the reason", "OPS-7", [UPDATED]],
    ["the reason in another case", "ops-7", [UPDATED]],
    ["a percent sign, which is no wildcard", "100%", [UPDATED]],
    ["an underscore, which is no wildcard", "users_1", [UPDATED]],
    ["a wildcard of GLOB, which is none here", "OPS*", []],
    ["the present name of who acted", "anna b", [UPDATED, UPDATED]],
    ["the e-mail address of who acted", "A.Bauer@", [UPDATED, UPDATED]],
    ["the present name of a flag", "new check", [UPDATED, UPDATED, "flag.created"]],
    ["a reason with umlauts in another case", "FÜR ALLE", [UPDATED]],
    ["the key of a flag", "shop.ch", [UPDATED, UPDATED, "flag.created"]],
    ["the name of a deleted segment", "beta test", ["segment.deleted", "segment.updated"]],
    ["a text that is nowhere", "nowhere", []],
  ] as const)("finds %s", async ([, q, actions]) => {
    expect(await found(q)).toEqual(actions);
  });

  it("applies to the records that the other filters leave, and to their pages", async () => {
    expect(await found("checkout", "&action=flag.created")).toEqual(["flag.created"]);
    const { body } = await asAdmin("GET", path("checkout", "&size=2&page=1&related=true"));
    expect(body).toMatchObject({
      totalItems: 3,
      totalPages: 2,
      items: [{ action: "flag.created" }],
    });
    expect(body.related).toContainEqual(expect.objectContaining({ name: "New checkout" }));
    expect(body).not.toHaveProperty("searchedSince");
  });

  it("finds no names and e-mail addresses of users for an API key", async () => {
    expect(await found("OPS-7", "", world.apiKey)).toEqual([UPDATED]);
    expect(await found("Anna", "", world.apiKey)).toEqual([]);
    expect(await found("a.bauer", "", world.apiKey)).toEqual([]);
  });

  it("has 1 to 200 characters", async () => {
    expect(await found("x".repeat(200))).toEqual([]);
    for (const q of ["", "x".repeat(201)])
      expect(outcome(await asAdmin("GET", path(q)))).toBe("400 BAD_REQUEST");
  });
});
