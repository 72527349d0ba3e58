import { callWith } from "./call-with.ts";
import { readExposition, type Scrape } from "./exposition.ts";

const MARK = 'http_server_requests_seconds_count{method="HEAD",uri="/actuator/info",status="200"}';
let marks = 0;

/** Lets this isolate tell what it has counted: any request does, once its work is done. */
export async function tell(replaced: Partial<Env> = {}): Promise<void> {
  marks += 1;
  await callWith({ METRICS_FLUSH_SECONDS: "0.001", ...replaced }, "HEAD", "/actuator/info");
}

/** The export as it is. Throws when it is not of the format. */
export async function exported(replaced: Partial<Env> = {}): Promise<Scrape["samples"]> {
  const answer = await callWith<string>(replaced, "GET", "/actuator/prometheus");
  if (answer.status !== 200) throw new Error(`no export: ${answer.status}`);
  return readExposition(answer.body).samples;
}

/**
 * The export, once this isolate has told everything: what is told comes in its order, so that the
 * last request's count brings all that was counted before.
 */
export async function scrape(): Promise<Scrape["samples"]> {
  for (let n = 0; n < 50; n++) {
    await tell();
    const samples = await exported();
    if (samples.get(MARK) === marks) return samples;
  }
  throw new Error("this isolate does not tell what it counts");
}

/** By how much each sample grew while something happened; those that did not are left out. */
export async function growth(during: () => Promise<unknown>): Promise<Record<string, number>> {
  const before = await scrape();
  await during();
  const after = await scrape();
  const grown = [...after].map(([key, n]) => [key, n - (before.get(key) ?? 0)] as const);
  return Object.fromEntries(grown.filter(([, n]) => n !== 0));
}

/** What grew of one family, by its labels as they stand in the text. */
export async function growthOf(
  family: string,
  during: () => Promise<unknown>,
): Promise<Record<string, number>> {
  const grown = Object.entries(await growth(during));
  const own = grown.filter(([key]) => key === family || key.startsWith(`${family}{`));
  return Object.fromEntries(own.map(([key, n]) => [key.slice(family.length), n]));
}
