import { Hono } from "hono";
import { expect, it } from "vitest";
import { LEASE_MS } from "../../src/client/keys/leases.ts";
import { SURFACES } from "../../src/client/routes.ts";
import { type ClientEnv, mountSurfaces } from "../../src/client/edge/surface.ts";
import { isolate, KEY } from "./isolate.ts";

const DOCUMENT = "/api/unleash/client/features";

/** An isolate with all routes of SDKs. `get` sends a request of an Unleash SDK. */
function isolateOfRoutes() {
  const { edge, ports, ...one } = isolate();
  const app = new Hono<ClientEnv>();
  mountSurfaces(app, SURFACES, { world: () => ({ edge, ports }), record: () => {} });
  const get = async (path: string, etag?: string) => {
    const headers = { Authorization: `Bearer ${KEY}`, "Unleash-Client-Spec": "5.2.0" };
    const held = etag === undefined ? undefined : { "If-None-Match": etag };
    return app.request(path, { headers: { ...headers, ...held } });
  };
  const isDocumentHeld = async () => {
    const { set } = await edge.serve(ports, KEY, "rules:read");
    return set.unleash.isHeld("a");
  };
  return { ...one, get, isDocumentHeld };
}

/**
 * Polls for three seconds, with a change of the rules after the first. Returns the statuses, and how
 * many database statements and KV reads the polls have caused.
 */
async function costOfPolls(path: string) {
  const { database, store, commit, pass, get } = isolateOfRoutes();
  const statuses: number[] = [];
  let etag: string | undefined;
  for (let second = 0; second < 3; second++) {
    for (let poll = 0; poll < 4; poll++) {
      const response = await get(path, etag);
      etag = response.headers.get("ETag") ?? etag;
      statuses.push(response.status);
      pass(LEASE_MS / 4);
    }
    if (second === 0) commit();
  }
  return {
    statuses: statuses.join(" "),
    statements: database.questions,
    rulesRead: store.looks,
    keysRead: store.keyLooks,
  };
}

it("polls of Unleash SDKs cause as many database statements and KV reads as polls of our SDKs", async () => {
  const polls = await costOfPolls("/api/client/features");
  expect(polls).toEqual({
    statuses: "200 304 304 304 200 304 304 304 304 304 304 304",
    // A check of the key in each second, and a build of the rules for each revision.
    statements: 3 + 2,
    rulesRead: 2,
    keysRead: 1,
  });
  expect(await costOfPolls(DOCUMENT)).toEqual(polls);
  expect(await costOfPolls("/api/unleash/client/delta")).toEqual(polls);
  // The change makes another document, but no other verdict.
  const statuses = polls.statuses.replace(" 200", " 304");
  expect(await costOfPolls("/api/unleash/frontend")).toEqual({ ...polls, statuses });
});

it("a response with 304 to an Unleash SDK makes no document", async () => {
  const first = isolateOfRoutes();
  const etag = (await first.get(DOCUMENT)).headers.get("ETag") ?? "";
  expect(await first.isDocumentHeld()).toBe(true);
  const second = isolateOfRoutes();
  expect((await second.get(DOCUMENT, etag)).status).toBe(304);
  expect(await second.isDocumentHeld()).toBe(false);
});
