import * as fc from "fast-check";
import { expect, it } from "vitest";
import { chunked, jsonBytes } from "../../../src/core/lib/chunks.ts";

const size = (item: number) => item;
const items = fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 60 });
const sum = (chunk: readonly number[]) => chunk.reduce((total, item) => total + item, 0);

it("chunked keeps every item, in order, without empty chunks", () => {
  fc.assert(
    fc.property(items, (list) => {
      const chunks = chunked(list, size, { size: 100, count: 5 });
      expect(chunks.flat()).toEqual(list);
      expect(chunks.every((chunk) => chunk.length > 0)).toBe(true);
    }),
  );
});

it("chunked limits the size and the number of items of a chunk, except for a single item that is too large", () => {
  fc.assert(
    fc.property(items, (list) => {
      for (const chunk of chunked(list, size, { size: 100, count: 5 })) {
        expect(chunk.length).toBeLessThanOrEqual(5);
        expect(chunk.length === 1 || sum(chunk) <= 100).toBe(true);
      }
    }),
  );
});

it("chunked starts a new chunk only when the next item does not fit", () => {
  expect(chunked([50, 50, 50, 50, 1], size, { size: 100 })).toEqual([[50, 50], [50, 50], [1]]);
  expect(chunked([1, 1, 1], size, { size: 100, count: 2 })).toEqual([[1, 1], [1]]);
  expect(chunked([200, 1, 200], size, { size: 100 })).toEqual([[200], [1], [200]]);
});

it("jsonBytes counts the UTF-8 bytes of the JSON", () => {
  expect(jsonBytes(["a", 1])).toBe(7);
  expect(jsonBytes("ž🚩")).toBe(2 + 2 + 4);
});
