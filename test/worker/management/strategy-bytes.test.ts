import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import recorded from "../../fixtures/strategy-bytes.json" with { type: "json" };
import { readEnvironmentRules } from "../../../src/client/sources/queries.ts";
import { buildSnapshot } from "../../../src/core/rules/snapshot.ts";
import type { Json } from "../support/client.ts";
import { as, opened } from "../support/change-requests.ts";
import { apply, COLOURS, exported, flagOf, newShop, type Shop } from "../support/files.ts";
import { asAdmin } from "../support/outcomes.ts";
import { adminToken } from "../support/people.ts";
import { receiver } from "../support/receiver.ts";
import { rows } from "../support/records.ts";
import { newSubscriber } from "../support/world.ts";

const COUNTRY = { field: "country", operator: "in", values: ["DE", "FR"], caseInsensitive: true };
const VERSION = { field: "app", operator: "gt", values: ["1.2.3"], contextType: "semver" };
const SPLIT = { weights: { blue: 33.333, red: 66.667 } };
const KEYS = {
  stickiness: "company",
  hashKey: "imported",
  splitKey: "split",
  splitStickiness: "device",
};
/** Every field of an activation in a file, and in a request. */
const FILE = { percentage: 12.345, constraints: [COUNTRY], segments: ["Staff", "EU"], ...KEYS };
const REQUEST = { constraints: [{ ...COUNTRY, contextType: "string" }], ...KEYS };

const CONTENT = {
  contexts: { country: { values: ["DE"] } },
  segments: {
    Staff: { constraints: [{ field: "email", operator: "endsWith", values: ["@a.com"] }] },
    EU: { description: "Europe", constraints: [COUNTRY, { ...VERSION, inverted: true }] },
  },
  flags: {
    colour: {
      name: "Colour",
      flagType: "RELEASE",
      ...COLOURS,
      offVariant: "teal",
      environments: {
        production: {
          enabled: true,
          ...FILE,
          serve: SPLIT,
          rules: [
            { id: "staff", name: "Staff", ...FILE, serve: { variant: "red" } },
            { id: "split", percentage: 50, serve: SPLIT },
            { id: "plain" },
          ],
        },
      },
    },
    cart: {
      name: "Cart",
      flagType: "KILLSWITCH",
      environments: {
        production: {
          enabled: true,
          percentage: 7,
          rules: [{ id: "off", serve: { variant: "off" } }],
        },
        staging: { percentage: 0.5, serve: { variant: "off" } },
      },
    },
    unset: { name: "Unset", flagType: "RELEASE" },
  },
};

let shop: Shop;
beforeAll(async () => {
  receiver();
  shop = await newShop();
  await newSubscriber(shop.id);
  const send = async (method: string, path: string, body?: object, headers = {}) => {
    const answer = await asAdmin(method, `/api/v1/${path}`, body, headers);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  if ((await apply(shop, CONTENT)).status !== 200) throw new Error("the file is not applied");
  const { id } = await flagOf(shop, "colour");
  const cart = (await flagOf(shop, "cart")).id as number;
  const { staging, production } = shop;
  const put = (change: object, flagId = id) =>
    send("PUT", `flags/${flagId}/strategies`, { environmentId: staging, ...change });
  const segments: Json[] = await send("GET", `segments?projectId=${shop.id}`);
  const segmentIds = (Array.isArray(segments) ? segments : (segments as Json).items).map(
    (one: Json) => one.id,
  );

  // Requests with each of the two percentages, rules with all fields and with none, and null.
  await put({ enabled: true, percentage: 25, ...REQUEST, segmentIds, serve: SPLIT });
  await put({
    exactPercentage: 99.999,
    rules: [{ name: "All", percentage: 12, exactPercentage: 12.5, ...REQUEST, segmentIds }, {}],
  });
  const { rules } = await put({ percentage: 40, exactPercentage: 40, hashKey: null });
  const [all, plain] = rules;
  await put({ rules: [{ id: plain.id }, { ...all, percentage: undefined, serve: undefined }] });
  await put({ serve: { weights: { blue: 50, red: 20, teal: 30 } }, splitKey: null });
  // Reverts restore slots and ids of rules.
  const [last] = await rows(
    "SELECT max(id) AS id FROM audit WHERE project_id = ? AND action = 'strategy.updated'",
    shop.id,
  );
  await send("POST", `flags/${id}/strategies/revert`, { recordId: last?.id });
  await put({ exactPercentage: 41.5 });
  await put({ enabled: true, percentage: 1 }, cart);
  // A ramp of the strategy, and one of a rule.
  const steps = [
    { exactPercentage: 1.5, holdMinutes: 60 },
    { exactPercentage: 100, holdMinutes: null },
  ];
  const target = { flagId: cart, environmentId: staging };
  const ramp = await send("POST", "ramps", { ...target, steps });
  await send("POST", `ramps/${ramp.id}/abort`);
  await send("POST", "ramps", { ...target, flagId: id, ruleId: all.id, steps });
  // Change requests keep their operations as callers sent them.
  for (const input of [
    { percentage: 60, rules: [{}] },
    { exactPercentage: 60.5, ...REQUEST },
  ])
    await opened(as(await adminToken()), shop.id, {
      operations: [
        { kind: "strategy.set", target: { flagId: cart, environmentId: production }, input },
      ],
    });
  // Tombstones and deletions, whose audit records the database itself makes.
  for (const key of ["archived", "deleted"])
    await send("POST", `flags/${id}/clone`, { key, name: key, keepState: true });
  const archived = (await flagOf(shop, "archived")).id as number;
  await put({ exactPercentage: 12.5 }, archived);
  await send("POST", `flags/${archived}/archive`);
  const deleted = (await flagOf(shop, "deleted")).id as number;
  await send("POST", `flags/${deleted}/archive`);
  await send("DELETE", `flags/${deleted}`);
});

/** Replaces what differs between two runs: times, random ids, and numbers of rows. */
function comparable(text: string): string[] {
  const ids = new Map<string, string>();
  const ruleId = (_: string, field: string, id: string) => {
    ids.set(id, ids.get(id) ?? `rule-${ids.size}`);
    return `${field}"${ids.get(id)}"`;
  };
  return text
    .replaceAll(/\b[a-z]+-\d+-[\da-f-]{36}/g, "<name>")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z|\b\d{13}\b/g, "<time>")
    .replaceAll(/("(?:id|ruleId)":)"([a-z\d]{10})"/g, ruleId)
    .replaceAll(/("(?:id|flagId|environmentId)":|_id=)\d+/g, "$1<id>")
    .replaceAll(/"segmentIds":\[[\d,]+\]/g, (list) => list.replaceAll(/\d+/g, "<id>"))
    .split("\n");
}

async function snapshotOf(environmentId: number) {
  const rules = await readEnvironmentRules(env.DB, environmentId, Date.now());
  if (!rules) throw new Error("no environment");
  return buildSnapshot(rules);
}

const READERS: Readonly<Record<keyof typeof recorded, () => Promise<unknown>>> = {
  "the rules and their ETag": async () => {
    const { body, etag } = await snapshotOf(shop.production);
    return `${body}\n${etag}`;
  },
  "rules with ids from the server, and tombstones": async () => {
    const { body, changes } = await snapshotOf(shop.staging);
    return `${body}\n${JSON.stringify(changes)}`;
  },
  "the rows of strategies": () =>
    rowsOf(`SELECT f.key, e.name, s.* FROM strategies s JOIN flags f ON f.id = s.flag_id
      JOIN environments e ON e.id = s.environment_id WHERE f.project_id = ? ORDER BY f.key, e.name`),
  "the audit records": () =>
    // Without what older releases do not record of a flag.
    rowsOf(`SELECT action, replace(before, ',"clients":"all"', '') AS before,
        replace(after, ',"clients":"all"', '') AS after FROM audit WHERE project_id = ?
      AND (action LIKE 'strategy.%' OR action LIKE 'flag.%' OR action LIKE 'ramp.%') ORDER BY id`),
  "the webhook events": () =>
    rowsOf(`SELECT type, data FROM outbox WHERE project_id = ?
      AND (type = 'flag.updated' OR type LIKE 'ramp.%') ORDER BY id`),
  "the operations of change requests": () =>
    rowsOf(`SELECT o.request_id, o.position, o.kind, o.target_id, o.environment_id, o.change, o.base, o.after
      FROM change_request_operations o JOIN change_requests r ON r.id = o.request_id
      WHERE r.project_id = ? ORDER BY r.id, o.position`),
  "the responses": async () => {
    const { id } = await flagOf(shop, "colour");
    return JSON.stringify((await asAdmin("GET", `/api/v1/flags/${id}/strategies`)).body);
  },
  "the export": async () => JSON.stringify(await exported(shop)),
};

/** Returns the rows of a query about the project as texts, one row a line. */
async function rowsOf(sql: string): Promise<string> {
  const found = await rows(sql, shop.id);
  const line = (row: Json) =>
    Object.entries(row).map(([name, value]) => `${name}=${String(value)}`);
  return found.map((row) => line(row).join(" ")).join("\n");
}

// What older releases have written must not change: SDKs keep ETags, and old Workers read new rows.
it.each(Object.keys(recorded) as (keyof typeof recorded)[])(
  "the bytes of %s are those of older releases",
  async (name) => {
    expect(comparable(String(await READERS[name]()))).toEqual(recorded[name]);
  },
);
