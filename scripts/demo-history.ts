import type { DemoEnvironment } from "./demo-data.ts";
import type { FlagCounts } from "./demo-variants.ts";
import { send, type Session } from "./lib/api.ts";

const HOUR_MS = 3_600_000;
const DAYS = 7;

/** The counts by flag key of one environment in 15 minutes. */
export type Counts = Readonly<Record<string, FlagCounts>>;

/** The API of `wrangler dev` for the local database. It is on this machine only. */
const D1 = "/cdn-cgi/local/explorer/api/d1/database";

/** A time in the demo's week, hours before now, and the percentage from then on. */
type Step = readonly [hoursAgo: number, percentage: number];

/** The flags of production that were rolled out, or turned off for a while, in the demo's week. */
const STORIES: Readonly<Record<string, readonly Step[]>> = {
  "new-checkout": [
    [118, 5],
    [72, 10],
    [26, 25],
  ],
  recommendations: [
    [DAYS * 24, 10],
    [98, 50],
  ],
  // A kill switch: an outage of PayPal on an evening.
  paypal: [
    [DAYS * 24, 100],
    [54, 0],
    [51, 100],
  ],
};

/** A number from 0.9 to 1.1 that differs for each hour and flag, and is the same in each demo. */
const jitter = (n: number) => 1 + Math.sin(n * 12.9898) / 10;

/** How busy a shop is at an hour of the day, and more so at the weekend: 0.1 to 1.2. */
function business(hour: Date): number {
  const sinceEvening = Math.abs(hour.getHours() - 20);
  const distance = Math.min(sinceEvening, 24 - sinceEvening);
  const weekend = [0, 6].includes(hour.getDay()) ? 1.2 : 1;
  return (0.1 + 0.9 * Math.exp(-((distance / 5) ** 2))) * weekend;
}

/** Returns which share of the evaluations is true at a time. Without a story, it is as it is now. */
function shareAt(key: string, { t, f }: FlagCounts, hoursAgo: number): number {
  const story = STORIES[key];
  if (!story) return t / (t + f);
  return (story.findLast(([from]) => hoursAgo <= from)?.[1] ?? 0) / 100;
}

/** Returns how often a flag was true and false in one full hour, and how often each variant was served. */
function countsIn(hour: number, hoursAgo: number, key: string, counts: FlagCounts) {
  const factor = 4 * business(new Date(hour)) * jitter(key.length + hour / HOUR_MS);
  const total = Math.round((counts.t + counts.f) * factor);
  const t = Math.round(total * shareAt(key, counts, hoursAgo));
  const variants = Object.entries(counts.v ?? {}).map(([variant, n]) => [
    variant,
    Math.round(n * factor),
  ]);
  return { t, f: total - t, variants: counts.v ? Object.fromEntries(variants) : null };
}

/**
 * Writes the usage of the last seven days, up to the hour before this one. No SDK can report past
 * hours, so the rows go into the local database. `usage`: what the SDKs of each environment evaluate in
 * 15 minutes. Throws: an Error if the local database refuses the rows.
 */
export async function writeHistory(
  session: Session,
  address: string,
  projectId: number,
  usage: ReadonlyMap<DemoEnvironment, Counts>,
): Promise<void> {
  const { items: flags } = await session.get<{ items: { id: number; key: string }[] }>(
    `/flags?projectId=${projectId}&includeArchived=true&size=200`,
  );
  const environments = await session.get<{ id: number; name: DemoEnvironment }[]>(
    `/environments?projectId=${projectId}`,
  );
  const now = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const rows = environments.flatMap(({ id: environmentId, name }) =>
    Object.entries(usage.get(name) ?? {}).flatMap(([key, counts]) => {
      const flagId = flags.find((flag) => flag.key === key)?.id;
      return Array.from({ length: flagId === undefined ? 0 : DAYS * 24 }, (_, n) => {
        const hour = now - (n + 1) * HOUR_MS;
        return Object.assign(countsIn(hour, n + 1, key, counts), { flagId, environmentId, hour });
      });
    }),
  );
  const sql = `INSERT INTO usage_hours (flag_id, environment_id, hour, t, f, variants)
    SELECT value ->> 'flagId', value ->> 'environmentId', value ->> 'hour', value ->> 't', value ->> 'f',
      nullif(value -> 'variants', 'null')
    FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`;
  const answer = await send(`${address}${D1}/DB/raw`, {
    method: "POST",
    body: { sql, params: [JSON.stringify(rows)] },
  });
  if (answer.status !== 200)
    throw new Error(`The local database returned ${answer.status} for the demo's usage`);
}
