import { expect, it } from "vitest";
import { TokenBucket } from "../../../src/core/lib/token-bucket.ts";

/** Returns how many of 100 calls at the time `now` the bucket permits. */
const permitted = (bucket: TokenBucket, now: number) =>
  Array.from({ length: 100 }, () => bucket.take(now)).filter(Boolean).length;

it("a token bucket permits its rate at once, and then new calls in proportion to the time that passes", () => {
  const bucket = new TokenBucket(10);
  expect(permitted(bucket, 5_000)).toBe(10);
  expect(permitted(bucket, 5_000)).toBe(0);
  expect(permitted(bucket, 5_300)).toBe(3);
  expect(permitted(bucket, 3_605_300)).toBe(10);
});

it("a token bucket gains no tokens when the clock goes back", () => {
  const bucket = new TokenBucket(10);
  expect(permitted(bucket, 5_000)).toBe(10);
  expect(permitted(bucket, 1_000)).toBe(0);
});
