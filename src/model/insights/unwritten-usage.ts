import { type SQL, sql } from "drizzle-orm";
import { type Interval, type PointPart, startOf } from "../../core/insights/series.ts";
import { chunked, jsonBytes } from "../../core/lib/chunks.ts";
import type { FlagUsage, VariantCounts } from "../../core/usage/message-types.ts";
import { MAX_LIST_BYTES } from "../../db/json-list.ts";
import type { FlagHour, UnwrittenHour } from "../../core/usage/usage-state.ts";

/**
 * Usage of one hour that the database may lack, as an SQL query reads it. For `writeId`, see
 * `UnwrittenHour`.
 */
export type UnwrittenEntry<Usage> = readonly [writeId: string | null, hour: number, usage: Usage];

/** The usage of one flag, as the table `app_usage` stores it, too. */
type Counts = readonly [t: number, f: number, variants?: VariantCounts];

/**
 * Returns the entries for the usage of one flag. Variants that the flag does not have are left out,
 * because anybody can invent variants with a FRONTEND key. `variants`: the variants of the flag.
 */
export const flagEntries = (
  hours: readonly UnwrittenHour[],
  variants: readonly { readonly key: string }[],
): UnwrittenEntry<Counts>[] =>
  hours.flatMap(({ writeId, hour, usage }) =>
    usage.map((one): UnwrittenEntry<Counts> => [writeId, hour, countsOf(one, variants)]),
  );

/**
 * Returns the usage of one flag by an SDK instance, which only the usage object has, as parts of
 * points. Variants that the flag does not have are left out.
 */
export const partsOfInstance = (
  hours: readonly FlagHour[],
  variants: readonly { readonly key: string }[],
  interval: Interval,
): PointPart[] =>
  hours.flatMap(({ hour, usage }) => {
    const at = startOf(interval, hour);
    const [t, f, served = {}] = countsOf(usage, variants);
    const ofVariants = Object.entries(served).map(([variant, n]): PointPart => ({
      at,
      variant,
      t: 0,
      f: 0,
      n,
    }));
    return [{ at, variant: null, t, f, n: 0 }, ...ofVariants];
  });

function countsOf(
  [, t, f, served = {}]: FlagUsage,
  variants: readonly { readonly key: string }[],
): Counts {
  const known = variants.filter(({ key }) => Object.hasOwn(served, key));
  return [t, f, Object.fromEntries(known.map(({ key }) => [key, served[key] ?? 0]))];
}

/**
 * Returns the entries for the usage of all flags, without the counts by variant. An hour has several
 * entries if its usage is larger than `MAX_LIST_BYTES`.
 */
export const environmentEntries = (hours: readonly UnwrittenHour[]) =>
  entriesOf(hours, (usage) => usage.map(([key, t, f]): FlagUsage => [key, t, f]));

/**
 * Returns the entries for the usage of some flags, with the counts by variant. Variants that the flags do not
 * have are left out.
 */
export function variantEntries(
  hours: readonly UnwrittenHour[],
  flags: readonly {
    readonly key: string;
    readonly variants: readonly { readonly key: string }[];
  }[],
) {
  const variantsOf = new Map(flags.map(({ key, variants }) => [key, variants]));
  return entriesOf(hours, (usage) =>
    usage.flatMap((one): FlagUsage[] => {
      const variants = variantsOf.get(one[0]);
      return variants ? [[one[0], ...countsOf(one, variants)]] : [];
    }),
  );
}

/** Returns the entries for what `select` takes of the usage of each hour. */
const entriesOf = (
  hours: readonly UnwrittenHour[],
  select: (usage: readonly FlagUsage[]) => FlagUsage[],
): UnwrittenEntry<readonly FlagUsage[]>[] =>
  hours.flatMap(({ writeId, hour, usage }) =>
    chunked(select(usage), jsonBytes, { size: MAX_LIST_BYTES }).map(
      (some): UnwrittenEntry<readonly FlagUsage[]> => [writeId, hour, some],
    ),
  );

/**
 * Returns an SQL table with the columns `hour` and `usage` (JSON) that has the entries that the
 * database lacks. A query that reads this table and the usage in the database counts every report
 * once, because a transaction adds the id of a write together with its usage.
 */
export function unwrittenTable(entries: readonly UnwrittenEntry<unknown>[]): SQL {
  const lists = entries.length === 0 ? [[]] : chunked(entries, jsonBytes, { size: MAX_LIST_BYTES });
  const values = lists.map((list) => sql`(${JSON.stringify(list)})`);
  return sql`(SELECT e.value ->> 1 AS hour, e.value -> 2 AS usage
    FROM (VALUES ${sql.join(values, sql`, `)}) CROSS JOIN json_each(column1) e
    WHERE e.value ->> 0 IS NULL
      OR NOT EXISTS (SELECT 1 FROM usage_writes WHERE id = e.value ->> 0))`;
}
