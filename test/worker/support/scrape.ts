import { callWith } from "./call-with.ts";
import { readExposition, type Scrape } from "./exposition.ts";

const MARK = 'http_server_requests_seconds_count{method="HEAD",uri="/actuator/info",status="200"}';
let seenMarks = 0;

/** Makes this isolate flush its metrics, by a request with a flush interval of 1 ms. */
export async function flushMetrics(replaced: Partial<Env> = {}): Promise<void> {
  await callWith({ METRICS_FLUSH_SECONDS: "0.001", ...replaced }, "HEAD", "/actuator/info");
}

/**
 * The samples of the metrics export. Does not flush the metrics of this isolate first.
 * Throws: Error when the export is not valid Prometheus text format.
 */
export async function exported(replaced: Partial<Env> = {}): Promise<Scrape["samples"]> {
  const answer = await callWith<string>(replaced, "GET", "/actuator/prometheus");
  if (answer.status !== 200) throw new Error(`no export: ${answer.status}`);
  return readExposition(answer.body).samples;
}

/**
 * The samples of the metrics export after this isolate has flushed all metrics. Flushes arrive in
 * order. So an export that counts another such request contains all earlier counts, too.
 */
export async function scrape(): Promise<Scrape["samples"]> {
  for (let n = 0; n < 50; n++) {
    await flushMetrics();
    const samples = await exported();
    const marks = samples.get(MARK) ?? 0;
    if (marks > seenMarks) {
      seenMarks = marks;
      return samples;
    }
  }
  throw new Error("the metrics of this isolate did not arrive");
}

/** How much each sample of the metrics export grew while `during` ran. Omits unchanged samples. */
export async function growth(during: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await scrape();
  await during();
  const after = await scrape();
  const grown = [...after].map(([key, n]) => [key, n - (before.get(key) ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, n]) => n !== 0));
}

/**
 * How much each sample of one metric family grew while `during` ran. The keys of the result are the
 * labels of the samples, such as `{cache="rules"}`.
 */
export async function growthOf(
  family: string,
  during: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const grown = Object.entries(await growth(during));
  const own = grown.filter(([key]) => key === family || key.startsWith(`${family}{`));
  return Object.fromEntries(own.map(([key, n]) => [key.slice(family.length), n]));
}
