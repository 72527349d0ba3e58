import { createExecutionContext, env } from "cloudflare:test";
import { expect, it } from "vitest";
import { Edge } from "../../../src/client/edge/edge.ts";
import { buildSnapshot } from "../../../src/core/rules/snapshot.ts";
import { DEFAULT_STRATEGY } from "../../../src/core/strategies/strategy.ts";
import { clientPorts } from "../../../src/platform/client-ports.ts";
import {
  edgeStore,
  SNAPSHOT_FORMAT,
  snapshotKey,
} from "../../../src/platform/bindings/edge-store.ts";
import { poll } from "../support/sdk.ts";
import { newFlag, newWorld } from "../support/world.ts";

/**
 * Polls an isolate that has nothing in memory and uses this snapshot format. Returns the flag keys
 * and the revision of the served rules, and whether the rules were marked as stale.
 */
async function servedBy(format: number, apiKey: string) {
  const request = () => ({
    traceId: "0",
    ip: undefined,
    reason: undefined,
    userAgent: undefined,
    bypass: false,
  });
  const store = edgeStore(env.EDGE, format);
  const ports = clientPorts(env, createExecutionContext(), request, store);
  const { set, stale } = await new Edge().serve(ports, apiKey, "rules:read");
  const rules = JSON.parse(new TextDecoder().decode(set.bytes)) as { readonly key: string }[];
  return { keys: rules.map(({ key }) => key), revision: set.snapshot.revision, stale };
}

/**
 * Creates an environment whose snapshot in KV has this format. The snapshot has the flag `in-kv`,
 * and the database has the flag `in-the-database`. So a test sees where the served rules came from.
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
    archivedKeys: [],
    archivedServerKeys: [],
    changes: [],
  });
  await edgeStore(env.EDGE, format).putSnapshot(snapshot);
  return { apiKey, environmentId, revision, snapshot };
}

const NEXT = SNAPSHOT_FORMAT + 1;

it.each([
  ["deploy: new code meets a snapshot of the old code", SNAPSHOT_FORMAT, NEXT],
  ["rollback: old code meets a snapshot of the new code", NEXT, SNAPSHOT_FORMAT],
])(
  "an isolate rebuilds the rules when the snapshot in KV has another format (%s)",
  async (_, writer, reader) => {
    const { apiKey, environmentId, revision, snapshot } = await storedInFormat(writer);
    const served = await servedBy(reader, apiKey);
    expect(served).toEqual({ keys: ["in-the-database"], revision, stale: false });
    // The isolate has not overwritten the snapshot of the other format in KV.
    expect(await env.EDGE.get(snapshotKey(environmentId, writer), "json")).toEqual(snapshot);
  },
);

it("an isolate serves the snapshot from KV when the snapshot has the format of the isolate's code", async () => {
  const { apiKey, revision } = await storedInFormat(SNAPSHOT_FORMAT);
  const served = await servedBy(SNAPSHOT_FORMAT, apiKey);
  expect(served).toEqual({ keys: ["in-kv"], revision, stale: false });
});
