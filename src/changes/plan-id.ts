import { canonicalJson } from "../core/audit/changed-fields.ts";
import { sha256 } from "../core/lib/digest.ts";
import type { Plan } from "./plan/plan.ts";

/**
 * Returns the id of a plan: the SHA-256 of the operations, and of the versions of the rows that they
 * read, which together determine what the plan writes.
 */
export function planId({ operations, work: { initial } }: Plan): Promise<string> {
  const { flags, strategies, segments, tags, contexts } = initial;
  const flagsOfStrategies = new Map(
    [...strategies.values()].map(({ flagId, flag }) => [flagId, flag]),
  );
  const rows = [flags, flagsOfStrategies, strategies, segments, tags, contexts];
  return sha256(canonicalJson([operations, ...rows.map(versionsOf)]));
}

/** Returns the version of each row, by its key. `canonicalJson` sorts the keys. */
const versionsOf = (rows: ReadonlyMap<number | string, { readonly version: number }>) =>
  Object.fromEntries(Array.from(rows, ([key, { version }]) => [key, version]));
