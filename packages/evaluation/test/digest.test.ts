import * as fc from "fast-check";
import { expect, it } from "vitest";
import { digestOf, readDigest, ruleHash } from "../src/digest.ts";

const texts = fc.uniqueArray(fc.json(), { maxLength: 20 });

it("a digest does not depend on the order of the rules", () => {
  fc.assert(
    fc.property(texts, (rules) => {
      const hashes = rules.map((rule) => ruleHash(rule));
      expect(digestOf(hashes.toReversed())).toBe(digestOf(hashes));
    }),
  );
});

it("the digest after a change can be computed from the digest before the change and the old and the new rule", () => {
  fc.assert(
    fc.property(texts, fc.json(), fc.json(), (rules, before, after) => {
      const [was, is] = [
        [...rules, before],
        [...rules, after],
      ].map((list) => digestOf(list.map((rule) => ruleHash(rule))));
      const changed = digestOf([readDigest(was ?? ""), ruleHash(before), ruleHash(after)]);
      expect(changed).toBe(is);
      expect(was === is).toBe(before === after);
    }),
  );
});

it("the hash of a rule is the same for its text and for its bytes", () => {
  const text = '{"key":"žluť"}';
  const padded = new TextEncoder().encode(`..${text}..`);
  expect(ruleHash(padded.subarray(2, -2))).toBe(ruleHash(text));
  expect(ruleHash("")).toBe(0);
});
