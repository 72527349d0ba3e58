import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { call, type Json } from "../support/client.ts";
import { ADMIN, adminToken, person, signIn } from "../support/people.ts";
import { newFlag, newWorld, setStrategy } from "../support/world.ts";

const audit = (token: string, query = "") => call("GET", `/api/v1/audit${query}`, { token });

const start = new Date().toISOString();

/** Returns all audit records since the start of this file that the caller of the token may see. */
async function everything(token: string): Promise<Json[]> {
  const { body } = await audit(token, `?size=200&dateFrom=${start}`);
  expect(body.items).toHaveLength(body.totalItems);
  return body.items;
}

let world: Awaited<ReturnType<typeof newWorld>>;
let developer: string;
let viewer: string;

beforeAll(async () => {
  await signIn();
  world = await newWorld();
  await newWorld();
  const { id } = await newFlag(world.projectId);
  await setStrategy(id, { environmentId: world.environmentId, enabled: true });
  const send = (token: string, ip: string, percentage: number) =>
    call("PUT", `/api/v1/flags/${id}/strategies`, {
      token,
      body: { environmentId: world.environmentId, percentage },
      headers: { "CF-Connecting-IP": ip },
    });
  await send(await adminToken(), "203.0.113.7", 50);
  await send(world.apiKey, "203.0.113.8", 60);
  developer = (await person("DEVELOPER")).token;
  viewer = (await person("VIEWER")).token;
  // Inserts audit records of every kind that is hidden from some callers. Records of settings,
  // users and sessions stay hidden even with the category `change`.
  for (const [category, entityType, projectId] of [
    ["change", "settings", null],
    ["security", "settings", null],
    ["change", "user", world.projectId],
    ["change", "session", world.projectId],
    ["security", "api-key", world.projectId],
  ])
    await env.DB.prepare(
      `INSERT INTO audit (at, category, action, actor_kind, actor_name, entity_type, project_id, trace_id)
        VALUES (?, ?, 'probe', 'system', 'test', ?, ?, '00000000000000aa')`,
    )
      .bind(Date.now(), category, entityType, projectId)
      .run();
});

const isSecret = (item: Json) =>
  item.category === "security" || ["user", "settings", "session"].includes(item.entityType);

describe("an administrator", () => {
  it("sees all audit records, with IP addresses and the names of users", async () => {
    const items = await everything(await adminToken());
    expect(items.filter((item) => item.action === "probe")).toHaveLength(5);
    expect(items.map((item) => item.action)).toContain("session.started");
    expect(items.map((item) => item.ip)).toEqual(
      expect.arrayContaining(["203.0.113.7", "203.0.113.8"]),
    );
    expect(items.find((item) => item.actor.kind === "user").actor.name).toBe(ADMIN.email);
  });
});

describe.for(["a developer", "a viewer"])("%s", (who) => {
  const token = () => (who === "a developer" ? developer : viewer);

  it("sees all audit records of changes except those of users, settings and sessions, without IP addresses", async () => {
    const expected = (await everything(await adminToken()))
      .filter((item) => !isSecret(item))
      .map((item) => Object.assign(item, { ip: null }));
    expect(await everything(token())).toEqual(expected);
  });

  it.for(["category=security", "entityType=user", "entityType=settings", "action=probe"])(
    "finds no audit records with the filter %s",
    async (query) => {
      const { status, body } = await audit(token(), `?${query}`);
      expect([status, body.items, body.totalItems, body.totalPages]).toEqual([200, [], 0, 0]);
    },
  );
});

describe("a SERVER key", () => {
  it("sees only the audit records of changes in its own project, without IP addresses and the names of users", async () => {
    const expected = (await everything(await adminToken()))
      .filter((item) => !isSecret(item) && item.projectId === world.projectId)
      .map((item) => {
        const { kind, id, name } = item.actor;
        const actor = { kind, id, name: kind === "user" ? null : name, displayName: null };
        return Object.assign(item, { actor, ip: null });
      });
    const items = await everything(world.apiKey);
    expect(items).toEqual(expected);
    expect(new Set(items.map((item) => item.actor.kind))).toEqual(new Set(["user", "key"]));
    expect(JSON.stringify(items)).not.toContain(ADMIN.email);
  });
});
