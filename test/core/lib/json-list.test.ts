import { type SQL, sql } from "drizzle-orm";
import { SQLiteSyncDialect } from "drizzle-orm/sqlite-core";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { withoutPauses } from "@feature-flags/evaluation/pausing";
import { BOOLEAN_VARIANTS } from "../../../src/core/flags/variants.ts";
import { DEFAULT_STRATEGY } from "../../../src/core/strategies/strategy.ts";
import { record } from "../../../src/db/commit.ts";
import type { SqlClient } from "../../../src/db/database.ts";
import { jsonChunks, jsonRows } from "../../../src/db/json-list.ts";
import { changedRules } from "../../../src/db/rule-changes.ts";
import { flags } from "../../../src/db/schema/projects.ts";
import { replacePrerequisites } from "../../../src/model/flags/prerequisite-queries.ts";
import { allUnchanged } from "../../../src/model/optimistic-update.ts";
import { strategiesHaveVersions, type StrategyRow } from "../../../src/model/strategies/queries.ts";
import { writeStrategies } from "../../../src/model/strategies/write-queries.ts";

/** The most bytes of a value, and the most parameters and characters of a statement, in D1. */
const MAX_VALUE = 2_000_000;
const MAX_PARAMETERS = 100;
const MAX_LENGTH = 100_000;

const dialect = new SQLiteSyncDialect();
const bytesOf = (text: unknown) => new TextEncoder().encode(String(text)).length;

function expectAllowed(statement: SQL): void {
  const { sql: text, params } = dialect.sqlToQuery(statement);
  expect(bytesOf(text)).toBeLessThanOrEqual(MAX_LENGTH);
  expect(params.length).toBeLessThanOrEqual(MAX_PARAMETERS);
  for (const one of params) expect(bytesOf(one)).toBeLessThanOrEqual(MAX_VALUE);
}

it("chunks have all rows in order, and each has at most 1 MB unless a single row is larger", () => {
  const row = fc.tuple(fc.constantFrom("a", "ü", '"', "😀"), fc.nat(400_000));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 12 }), (sizes) => {
      const rows = sizes.map(([text, count]) => [text.repeat(count / text.length)]);
      const chunks = jsonChunks(rows);
      expect(chunks.flatMap((chunk) => JSON.parse(chunk) as unknown[])).toEqual(rows);
      for (const chunk of chunks)
        expect(bytesOf(chunk) <= 1_000_001 || JSON.parse(chunk).length === 1).toBe(true);
    }),
    { numRuns: 20 },
  );
});

/** A change of the largest project: 5,000 flags with long names in 3 environments. */
const FLAGS = 5_000;
const key = (n: number) => `${n}-`.padEnd(100, "k");
const name = (n: number) => `${n}-`.padEnd(200, "ü");
const strategies = Array.from({ length: 3 * FLAGS }, (_, n): StrategyRow => {
  const flagId = 1_000_000 + n;
  const flag = {
    projectId: 1,
    key: key(n),
    name: name(n),
    variants: BOOLEAN_VARIANTS.map((variant) => variant.key),
    offVariant: "off",
    archived: false,
    version: 1,
  };
  const ids = { flagId, environmentId: 1_000_000 + (n % 3), environmentName: "e" };
  return { ...ids, flag, isProduction: false, content: DEFAULT_STRATEGY, version: 1, updatedAt: 1 };
});

it("no statement of a change of 5,000 flags in 3 environments is larger than D1 allows", () => {
  const rules = strategies.map(({ flag, environmentId }) => ({
    flagKey: flag.key,
    flagName: flag.name,
    environmentId,
    effect: "any" as const,
  }));
  const changed = changedRules(1, rules, []);
  expect(changed).toBeDefined();
  if (changed) expectAllowed(changed);
  expectAllowed(strategiesHaveVersions(strategies));
  expectAllowed(
    allUnchanged(
      flags,
      strategies.map(({ flagId: id }) => ({ id, version: 1 })),
    ).holds,
  );
  for (const content of [
    { ...DEFAULT_STRATEGY, enabled: true },
    { ...DEFAULT_STRATEGY, hashKey: "h".repeat(100), rules: [] },
  ]) {
    const pairs = strategies.map((before) => ({
      before,
      after: { ...before, content, version: 2 },
    }));
    const { remove, write } = withoutPauses(writeStrategies(pairs, 1));
    for (const statement of [...remove, ...write]) expectAllowed(statement.getSQL());
  }
  const prerequisites = Array.from({ length: 10 }, (_, n) => ({ flagKey: key(n), enabled: true }));
  const created = Array.from({ length: FLAGS }, (_, id) => ({ id, key: key(id), prerequisites }));
  const { add } = replacePrerequisites(1, { created, updated: [], deleted: [] });
  expect(add.length).toBeGreaterThan(1);
  for (const statement of add) expectAllowed(statement.getSQL());
});

it("rows of one chunk are one list, and rows of several are one table", () => {
  expect(dialect.sqlToQuery(jsonRows([]))).toMatchObject({ sql: "json_each(?)", params: ["[]"] });
  expect(dialect.sqlToQuery(jsonRows([1, 2])).params).toEqual(["[1,2]"]);
  const large = jsonRows(Array.from({ length: 3 }, () => "x".repeat(600_000)));
  expect(dialect.sqlToQuery(large).params).toHaveLength(3);
});

it("a transaction whose parameters have more than 16 MB is refused, and names the way out", async () => {
  const client = { prepare: () => expect.unreachable() } as unknown as SqlClient;
  const values = Array.from({ length: 17 }, () => sql`SELECT ${"x".repeat(1_000_000)}`);
  await expect(record(client, values)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining("flags apply --parts"),
  });
});
