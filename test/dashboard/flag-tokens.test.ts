import * as fc from "fast-check";
import { expect, it } from "vitest";
import { validateFlagsSearch } from "../../dashboard/src/features/flag-list/search-params.ts";
import {
  digest,
  partsOf,
  replaceLast,
  suggestions,
  TOKEN_KEYS,
  tokenText,
  toggleValue,
} from "../../dashboard/src/features/flag-list/tokens.ts";

const known = {
  tags: [{ name: "shop" }, { name: "web" }],
  owners: [
    { id: 1, name: "Me" },
    { id: 2, name: "Ann Berg" },
  ],
  segments: [{ id: 5, name: "Beta testers" }],
  environments: [
    { id: 7, name: "production" },
    { id: 8, name: "staging" },
  ],
  me: 1,
};

const defined = (search: object) => JSON.parse(JSON.stringify(search));

it.each([
  ["tag:shop ", { tag: "shop" }, ""],
  ["tag:shop 237 retry tag:web ", { tag: ["shop", "web"] }, "237 retry"],
  ["-tag:web tag:shop retry", { tag: "shop", notTag: "web" }, "retry"],
  ["tag:web -tag:web ", { notTag: "web" }, ""],
  ['owner:"ann berg" x', { owner: 2 }, "x"],
  ['-owner:"Ann Berg"', { notOwner: 2 }, ""],
  ["owner:me ", { owner: 1 }, ""],
  ["on:Production off:staging ", { on: 7, off: 8 }, ""],
  ["-on:production ", { off: 7 }, ""],
  ["on:production -on:production ", { off: 7 }, ""],
  ['segment:"beta testers" ', { segment: 5 }, ""],
  ["stale:yes ", { stale: true }, ""],
  ["stale:no ", { stale: false }, ""],
  ["-stale:yes ", { stale: false }, ""],
  ["archived:yes stale:yes ", { stale: true }, ""],
  ["favourite:yes ", { favourite: true }, ""],
  ["type:KillSwitch ", { type: "KILLSWITCH" }, ""],
  ["-type:killswitch ", { type: "RELEASE" }, ""],
  ["owner:nobody ", {}, "owner:nobody"],
  ["stale:maybe color:red auth:login ", {}, "stale:maybe color:red auth:login"],
  ["tag: x ", {}, "tag: x"],
])("%j becomes the filters %j and the words %j", (text, filters, words) => {
  const result = digest(text, {}, known);
  expect(defined(result.search)).toEqual(filters);
  expect(result.words).toBe(words);
});

it("keeps the token that the user still types, and does not search for it", () => {
  expect(digest("retry tag:sh", {}, known)).toEqual({
    search: {},
    text: "retry tag:sh",
    words: "retry",
  });
  expect(digest("retry color:r", {}, known).words).toBe("retry color:r");
});

it("takes at most 10 values of a filter, and keeps further ones as words", () => {
  const text = Array.from({ length: 11 }, (_, n) => `tag:t${n}`).join(" ");
  const { search, words } = digest(`${text} `, {}, known);
  expect(search.tag).toHaveLength(10);
  expect(words).toBe("tag:t10");
});

it.each([
  ["o", ["owner:", "on:", "off:"]],
  ["x -s", ["-segment:", "-stale:"]],
  ["tag:S", ["tag:shop"]],
  ["-owner:", ["-owner:me", '-owner:"Ann Berg"']],
  ["on:", ["on:production", "on:staging"]],
  ["stale:", ["stale:yes", "stale:no"]],
  ["color:", []],
  ["tag:shop ", []],
  ["", []],
])("offers for %j: %j", (text, offered) => {
  expect(suggestions(text, known)).toEqual(offered);
});

it("replaces the last part of a text", () => {
  expect(replaceLast('a owner:"Ann B', 'owner:"Ann Berg"')).toBe('a owner:"Ann Berg"');
});

const value = fc
  .string({ unit: "grapheme", minLength: 1 })
  .map((text) => text.replaceAll('"', "").trim());
const token = fc.record({
  isNot: fc.boolean(),
  key: fc.constantFrom(...TOKEN_KEYS),
  value: value.filter((text) => text !== "" && !text.includes("\u0000")),
});

it("reads the text of every token as the same token", () => {
  fc.assert(
    fc.property(fc.array(token, { maxLength: 5 }), (tokens) => {
      const parts = partsOf(tokens.map(tokenText).join(" "));
      expect(parts.map((part) => part.token)).toEqual(tokens);
    }),
  );
});

it("loses no word of any text, and makes only filters that the URL can have", () => {
  const word = fc.oneof(
    fc.string(),
    token.map(tokenText),
    fc.constantFrom("tag:", "on:", '-tag:"'),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 8 }), (typed) => {
      const text = `${typed.join(" ")} `;
      const result = digest(text, {}, known);
      expect(validateFlagsSearch({ ...result.search })).toEqual(
        validateFlagsSearch(defined(result.search)),
      );
      expect(defined(validateFlagsSearch({ ...result.search }))).toEqual(defined(result.search));
      const left = partsOf(result.words).map((part) => part.text);
      const all = partsOf(text).map((part) => part.text);
      expect(all).toEqual(expect.arrayContaining(left));
      const words = partsOf(text).flatMap((part) => (part.token ? [] : part.text));
      expect(left).toEqual(expect.arrayContaining(words));
      // What is left is left again.
      expect(digest(`${result.words} `, result.search, known).words).toBe(result.words);
    }),
  );
});

it("adds and removes the values of the filter menu", () => {
  const added = toggleValue({ notTag: "web" }, ["tag", "notTag"], "web", false);
  expect(defined(added)).toEqual({ tag: "web" });
  expect(defined(toggleValue(added, ["tag", "notTag"], "web", false))).toEqual({});
});

it("reads the parameters of older links", () => {
  expect(defined(validateFlagsSearch({ environment: 7, state: "off", tag: "shop" }))).toEqual({
    off: 7,
    tag: "shop",
  });
  expect(
    defined(validateFlagsSearch({ environment: "x", state: "off", tag: [1, "a", "a"] })),
  ).toEqual({
    tag: ["1", "a"],
  });
});
