import { createExecutionContext, env } from "cloudflare:test";
import { expect, it } from "vitest";
import { Edge } from "../../../src/client/edge.ts";
import { buildSnapshot } from "../../../src/core/rules/snapshot.ts";
import { DEFAULT_STRATEGY } from "../../../src/core/strategies/strategy.ts";
import { clientPorts } from "../../../src/platform/deps.ts";
import { edgeStore, SNAPSHOT_FORMAT, snapshotKey } from "../../../src/platform/edge-store.ts";
import { poll } from "../support/sdk.ts";
import { newFlag, newWorld } from "../support/world.ts";

/**
 * Polls an isolate with empty memory, whose code reads and writes snapshots of this format. Returns
 * the flag keys and the revision that the isolate served, and whether it marked them as stale.
 */
async function servedBy(format: number, apiKey: string) {
  const request = () => ({ traceId: "0", ip: undefined, reason: undefined, userAgent: undefined });
  const ports = {
    ...clientPorts(env, createExecutionContext(), request),
    store: edgeStore(env.EDGE, format),
  };
  const { set, stale } = await new Edge().serve(ports, apiKey, "rules:read");
  const rules = JSON.parse(new TextDecoder().decode(set.bytes)) as { readonly key: string }[];
  return { keys: rules.map(({ key }) => key), revision: set.snapshot.revision, stale };
}

/**
 * Creates an environment whose snapshot is in KV in one format only. This snapshot has another flag
 * than the database, so that a test sees whether the rules came from KV or from the database.
 */
async function storedInFormat(format: number) {
  const { apiKey, environmentId, projectId } = await newWorld();
  await newFlag(projectId, { key: "in-the-database" });
  const revision = Number((await poll(apiKey)).headers.get("X-Revision"));
  await expect.poll(() => env.EDGE.get(snapshotKey(environmentId))).not.toBeNull();
  await env.EDGE.delete(snapshotKey(environmentId));
  const snapshot = buildSnapshot({
    environmentId,
    revision,
    changedAt: 0,
    flags: [{ key: "in-kv", name: "In KV", archived: false, strategy: DEFAULT_STRATEGY }],
    segments: new Map(),
    changes: [],
  });
  await edgeStore(env.EDGE, format).putSnapshot(snapshot);
  return { apiKey, environmentId, revision, snapshot };
}

const NEXT = SNAPSHOT_FORMAT + 1;

it.each([
  ["deploy: new code meets a snapshot of the old code", SNAPSHOT_FORMAT, NEXT],
  ["rollback: old code meets a snapshot of the new code", NEXT, SNAPSHOT_FORMAT],
])("an isolate rebuilds the rules from the database after a %s", async (_, writer, reader) => {
  const { apiKey, environmentId, revision, snapshot } = await storedInFormat(writer);
  const served = await servedBy(reader, apiKey);
  expect(served).toEqual({ keys: ["in-the-database"], revision, stale: false });
  // KV still has the snapshot of the other format.
  expect(await env.EDGE.get(snapshotKey(environmentId, writer), "json")).toEqual(snapshot);
});

it("an isolate serves the snapshot of its own format from KV, and does not build the rules", async () => {
  const { apiKey, revision } = await storedInFormat(SNAPSHOT_FORMAT);
  const served = await servedBy(SNAPSHOT_FORMAT, apiKey);
  expect(served).toEqual({ keys: ["in-kv"], revision, stale: false });
});

it("an isolate rebuilds the rules when KV has a snapshot of the first format, whose KV key had no format number, but none of its own format", async () => {
  const { apiKey, environmentId, revision, snapshot } = await storedInFormat(NEXT);
  await env.EDGE.put(`rules:${environmentId}`, JSON.stringify(snapshot));
  const served = await servedBy(SNAPSHOT_FORMAT, apiKey);
  expect(served).toEqual({ keys: ["in-the-database"], revision, stale: false });
});
