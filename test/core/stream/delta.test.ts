import { describe, expect, it } from "vitest";
import { buildSnapshot } from "../../../src/core/rules/snapshot.ts";
import { DEFAULT_STRATEGY } from "../../../src/core/strategies/strategy.ts";
import { deltaOf } from "../../../src/core/stream/delta.ts";

/** A snapshot at revision 9, with the flags that revisions 7 to 9 changed. */
const snapshotOf = (name: string) =>
  buildSnapshot({
    environmentId: 1,
    revision: 9,
    changedAt: Date.UTC(2026, 0, 2),
    flags: ["ä7", "b8", "c9"].map((key) => ({
      key,
      name,
      archived: false,
      valueType: "boolean",
      offVariant: "off",
      prerequisites: [],
      strategy: { ...DEFAULT_STRATEGY, enabled: true },
    })),
    segments: new Map(),
    archivedKeys: [],
    archivedServerKeys: [],
    changes: [
      ...["ä7", "b8", "c9"].map((key, n) => ({ key, name, revision: 7 + n, changedAt: n })),
      { key: "gone", name: "Gone", revision: 9, changedAt: 3 },
    ],
  });

describe("the rules in an event", () => {
  it("are the rules that changed after a given revision, with the same fields as the response to a delta request", () => {
    const snapshot = snapshotOf("Ünïcode");
    const data = JSON.parse(deltaOf(snapshot, 7) ?? "null");
    expect(data).toMatchObject({
      revision: 9,
      from: 7,
      etag: snapshot.etag,
      digest: snapshot.digest,
      nextSince: "2026-01-02T00:00:00.001Z",
    });
    const rules = new Map(data.rules.map((rule: { key: string }) => [rule.key, rule]));
    expect(new Set(rules.keys())).toEqual(new Set(["b8", "c9", "gone"]));
    const all = JSON.parse(snapshot.body);
    expect(rules.get("b8")).toEqual(all[1]);
    expect(rules.get("gone")).toMatchObject({ enabled: false, archived: true });
  });

  it("are omitted when they have more than 16 KB, or when none changed", () => {
    expect(deltaOf(snapshotOf("x".repeat(8_000)), 8)).toBeDefined();
    expect(deltaOf(snapshotOf("x".repeat(8_000)), 6)).toBeUndefined();
    expect(deltaOf(snapshotOf("x".repeat(17_000)), 8)).toBeUndefined();
    expect(deltaOf(snapshotOf("x"), 9)).toBeUndefined();
  });

  it("have 16,384 bytes at most, together with the revision and the digest", () => {
    const bytesOf = (name: string) =>
      new TextEncoder().encode(deltaOf(snapshotOf(name), 8) ?? "").length;
    const longest = "x".repeat(1 + 16_384 - bytesOf("x"));
    expect(bytesOf(longest)).toBe(16_384);
    expect(deltaOf(snapshotOf(`${longest}x`), 8)).toBeUndefined();
  });
});
