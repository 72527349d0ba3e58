import { describe, expect, it, vi } from "vitest";
import { CachedRead } from "../../../src/core/lib/cached-read.ts";
import { FakeClock } from "../../support/clock.ts";

const MAX_AGE_MS = 1_000;
const TIMEOUT_MS = 2_500;

/** A read whose result the test decides later. `reads` has a function for each running read. */
function slowRead() {
  const reads: PromiseWithResolvers<string>[] = [];
  const read = () => {
    const result = Promise.withResolvers<string>();
    reads.push(result);
    return result.promise;
  };
  return { reads, read };
}

/** The ports of requests whose clients stay connected. */
const portsOf = ({ now, wait }: FakeClock) => ({ now, wait, later: () => {} });

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("CachedRead", () => {
  it("reads again only when the last result is older than the maximum age", async () => {
    const clock = new FakeClock();
    const cache = new CachedRead<number>(MAX_AGE_MS, TIMEOUT_MS);
    const read = vi.fn<() => Promise<number>>();
    for (const n of [1, 2]) read.mockResolvedValueOnce(n);
    expect(await cache.get(portsOf(clock), read)).toBe(1);
    clock.advance(MAX_AGE_MS - 1);
    expect(await cache.get(portsOf(clock), read)).toBe(1);
    clock.advance(1);
    expect(await cache.get(portsOf(clock), read)).toBe(2);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it("gives the result of a running read to every request that arrives meanwhile, even when the read takes longer than the maximum age", async () => {
    const clock = new FakeClock();
    const cache = new CachedRead<string>(MAX_AGE_MS, TIMEOUT_MS);
    const { reads, read } = slowRead();
    const answers = Array.from({ length: 300 }, () => cache.get(portsOf(clock), read));
    clock.jump(2_000);
    reads[0]?.resolve("one result");
    await settled();
    while (clock.skipToNextTimer()) await settled();
    expect(new Set(await Promise.all(answers))).toEqual(new Set(["one result"]));
    expect(reads).toHaveLength(1);
  });

  it("caches a failed read, and reads again after the maximum age", async () => {
    const clock = new FakeClock();
    const cache = new CachedRead<string>(MAX_AGE_MS, TIMEOUT_MS);
    const fails = vi.fn<() => Promise<string>>(() => Promise.reject(new Error("away")));
    for (let n = 0; n < 3; n++)
      await expect(cache.get(portsOf(clock), fails)).rejects.toThrow("away");
    expect(fails).toHaveBeenCalledTimes(1);
    clock.advance(MAX_AGE_MS);
    expect(await cache.get(portsOf(clock), async () => "works again")).toBe("works again");
  });

  it("lets another request read when a read has not ended within the timeout", async () => {
    const clock = new FakeClock();
    const cache = new CachedRead<string>(MAX_AGE_MS, TIMEOUT_MS);
    const { reads, read } = slowRead();
    void cache.get(portsOf(clock), read);
    const second = cache.get(portsOf(clock), read);
    clock.advance(TIMEOUT_MS);
    await settled();
    expect(reads).toHaveLength(2);
    reads[1]?.resolve("the second read");
    expect(await second).toBe("the second read");
  });

  it("continues a read whose client disconnects, so that other requests do not wait for the timeout", async () => {
    const clock = new FakeClock();
    const cache = new CachedRead<string>(MAX_AGE_MS, TIMEOUT_MS);
    const { reads, read } = slowRead();
    const outliving: Promise<unknown>[] = [];
    const later = (work: Promise<unknown>) => void outliving.push(work);
    void cache.get({ ...portsOf(clock), later }, read);
    const other = cache.get(portsOf(clock), read);
    reads[0]?.resolve("one result");
    expect(outliving).toHaveLength(1);
    await Promise.all(outliving);
    clock.skipToNextTimer();
    expect(await other).toBe("one result");
    expect(reads).toHaveLength(1);
  });
});
