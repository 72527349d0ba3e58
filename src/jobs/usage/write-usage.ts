import { chunked, jsonBytes } from "../../core/lib/chunks.ts";
import type { FlagUsage } from "../../core/usage/message-types.ts";
import type { HourWrite, LastUses } from "../../core/usage/usage-entries.ts";
import type { Statement } from "../../db/commit.ts";
import { MAX_LIST_BYTES } from "../../db/json-list.ts";
import type { JobDeps } from "../deps.ts";
import * as queries from "./queries.ts";

type Deps = Pick<JobDeps, "db" | "record" | "now">;

/**
 * Writes the usage of a completed hour in one transaction. Writes nothing if the database has the
 * write already. Variants that a flag does not have are left out, because anybody can invent variants
 * with a FRONTEND key. Throws errors of the database; the write can then be repeated.
 */
export async function writeHour(deps: Deps, write: HourWrite): Promise<void> {
  const { id, environmentId } = write;
  const known = await queries.findVariants(deps.db, environmentId, write.flags);
  const withKnown = (usage: readonly FlagUsage[]) =>
    usage.map((flag) => withKnownVariants(flag, known.get(flag[0])));
  const statements: Statement[] = [queries.insertWrite(id, deps.now())];
  for (const some of chunked(withKnown(write.flags), jsonBytes, { size: MAX_LIST_BYTES }))
    statements.push(queries.addHourUsage(write, some));
  for (const [appName, usage] of write.apps)
    statements.push(queries.addAppUsage(write, appName, fitted(withKnown(usage))));
  try {
    await deps.record(statements);
  } catch (error) {
    if (!queries.isAlreadyWritten(error)) throw error;
  }
}

/**
 * Returns the usage, without its variants if it would otherwise be too large for the row of an application.
 */
const fitted = (usage: readonly FlagUsage[]): readonly FlagUsage[] =>
  jsonBytes(usage) <= MAX_LIST_BYTES ? usage : usage.map(([key, t, f]) => [key, t, f]);

/** Returns the usage of a flag without the variants that the flag does not have. */
function withKnownVariants(
  [key, t, f, variants]: FlagUsage,
  known: ReadonlySet<string> | undefined,
): FlagUsage {
  const counts = Object.entries(variants ?? {}).filter(([variant]) => known?.has(variant));
  return counts.length > 0 ? [key, t, f, Object.fromEntries(counts)] : [key, t, f];
}

/** Writes when flags and API keys were last used. Throws errors of the database. */
export async function writeUses(
  deps: Deps,
  projectId: number,
  { flags, keys }: LastUses,
): Promise<void> {
  const statements: Statement[] = [];
  if (flags.length > 0) statements.push(queries.markFlags(projectId, flags));
  if (keys.length > 0) statements.push(queries.markKeys(keys));
  if (statements.length > 0) await deps.record(statements);
}
