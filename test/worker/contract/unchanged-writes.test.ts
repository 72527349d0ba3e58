import { env } from "cloudflare:workers";
import { beforeAll, expect, it } from "vitest";
import { callWith } from "../support/call-with.ts";
import { auditOf, eventsOf } from "../support/records.ts";
import { everything, type Known } from "./known.ts";
import { properly } from "./route.ts";
import { ROUTES } from "./routes.ts";

let known: Known;
beforeAll(async () => {
  known = await everything();
});

/** The routes that set something to a value: their second identical call changes nothing. */
const UPDATES = ROUTES.filter(({ name }) => /^PUT |archive$/.test(name));

const revisions = async () =>
  (await env.DB.prepare("SELECT id, revision FROM environments ORDER BY id").all()).results;

it("the update routes include those of every kind of resource", () => {
  expect(UPDATES.length).toBeGreaterThanOrEqual(16);
});

it.each(UPDATES)(
  "a second identical call returns the same response and leaves no trace: $name",
  async (route) => {
    const call = properly(route, known);
    const first = await callWith({}, ...call);
    expect(first.status).toBe(200);
    const before = await revisions();
    const second = await callWith({}, ...call);
    const response = ({ status, headers, body }: typeof first) => ({
      status,
      etag: headers.get("ETag"),
      body,
    });
    expect(response(second)).toEqual(response(first));
    expect([await auditOf(second), await eventsOf(second)]).toEqual([[], []]);
    expect(await revisions()).toEqual(before);
  },
);
