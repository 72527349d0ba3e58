import { chunked, jsonBytes } from "../../core/lib/chunks.ts";
import type { UsageMessage } from "../../core/usage/message-types.ts";
import {
  flagName,
  type HourTotal,
  nameOf,
  totalsOf,
  type UsageTotals,
  withKnownVariants,
} from "../../core/usage/roll-up.ts";
import type { Statement } from "../../db/commit.ts";
import type { JobDeps } from "../deps.ts";
import * as queries from "./queries.ts";
import { RecentWrites } from "./recent-writes.ts";

/**
 * The maximum size of the usage messages in one transaction, bytes. D1 limits a value to 2 MB. The
 * JSON lists that the statements bind take at most 1.7 times the bytes of the messages.
 */
export const MAX_TRANSACTION_BYTES = 1_000_000;

/**
 * The maximum number of attempts to write one transaction of usage. A transaction is repeated only
 * if some of its usage reports were counted before.
 */
const MAX_TRIES = 5;

const recent = {
  flags: new RecentWrites<string>(),
  keys: new RecentWrites<number>(),
  instances: new RecentWrites<string>(),
};

/**
 * The consumer of the usage queue. Adds usage messages to the usage tables. A usage report that is
 * delivered twice is counted once. Throws errors of the database; the queue then delivers the
 * messages again.
 */
export async function rollUpUsage(deps: JobDeps, messages: readonly UsageMessage[]): Promise<void> {
  for (const some of chunked(messages, jsonBytes, { size: MAX_TRANSACTION_BYTES }))
    await rollUp(deps, some);
}

async function rollUp(deps: JobDeps, messages: readonly UsageMessage[]): Promise<void> {
  let remaining = messages;
  for (let tries = 1; remaining.length > 0; tries++) {
    const totals = await withoutUnknown(deps, totalsOf(remaining));
    try {
      await write(deps, totals);
      return;
    } catch (error) {
      if (tries === MAX_TRIES || !queries.isAlreadyCounted(error)) throw error;
      const counted = await queries.findCounted(deps.db, totals.ids);
      remaining = remaining.filter(
        (message) => message.kind !== "report" || !counted.has(message.id),
      );
    }
  }
}

/** Returns the totals without the variants that their flags do not have. */
async function withoutUnknown({ db }: JobDeps, totals: UsageTotals): Promise<UsageTotals> {
  if (!totals.environments.some(hasVariants)) return totals;
  return withKnownVariants(totals, await queries.findVariants(db, totals.environments));
}

const hasVariants = ({ flags }: HourTotal): boolean =>
  [...flags.values()].some(({ variants }) => variants !== undefined);

/**
 * Writes the usage counts, the ids of the counted usage reports and the last-seen marks in one
 * transaction.
 */
async function write(deps: JobDeps, totals: UsageTotals): Promise<void> {
  const { ids, environments, instances, seen } = totals;
  const keys = new Map([...totals.keys].filter(([id, at]) => recent.keys.isDue(id, at)));
  const flags = environments.flatMap(marksOf).filter(([name, at]) => recent.flags.isDue(name, at));
  const statements: Statement[] = [];
  if (ids.length > 0) statements.push(queries.insertReports(ids, deps.now()));
  if (environments.length > 0) statements.push(queries.addFlagUsage(environments));
  if (environments.some(hasVariants)) statements.push(queries.addVariantUsage(environments));
  if (instances.length > 0) statements.push(queries.addInstanceUsage(instances));
  if (flags.length > 0) statements.push(queries.markFlags(environments));
  if (keys.size > 0) statements.push(queries.markKeys(keys));
  if (seen.length > 0) statements.push(queries.upsertInstances(seen));
  // Only an instance that may be new can exceed the limit of its environment.
  const fresh = seen.filter((instance) => !recent.instances.has(nameOf(instance)));
  const grown = new Set(fresh.map(({ environmentId }) => environmentId));
  if (grown.size > 0) statements.push(queries.deleteExcessInstances([...grown]));
  if (statements.length === 0) return;
  await deps.record(statements);
  for (const [id, at] of keys) recent.keys.set(id, at);
  for (const [name, at] of flags) recent.flags.set(name, at);
  for (const instance of seen) recent.instances.set(nameOf(instance), instance.lastSeenAt);
}

const marksOf = ({ environmentId, flags }: HourTotal): (readonly [name: string, at: number])[] =>
  [...flags].map(([key, { lastAt }]) => [flagName(environmentId, key), lastAt]);
