import { expect, it } from "vitest";
import type { EnrichedFlag } from "../../dashboard/src/shared/api/types.ts";
import { similarFlags } from "../../dashboard/src/shared/flags/similar-flags.ts";
import { fuzzySearch } from "../../dashboard/src/shared/fuzzy.ts";
import { parseCommand } from "../../dashboard/src/app/palette-command.ts";
import { searchedWord, searchWords } from "../../dashboard/src/app/palette-search.ts";
import { shell as german } from "../../dashboard/src/shared/i18n/de/shell.ts";
import { shell as english } from "../../dashboard/src/shared/i18n/en/shell.ts";

const words = ({ onWords, offWords }: { onWords: string; offWords: string }) => ({
  on: onWords,
  off: offWords,
});

it.each([
  ["checkout", undefined, "checkout"],
  ["turn off checkout", "off", "checkout"],
  ["Turn Off one-page checkout in production", "off", "one-page checkout production"],
  ["off checkout in ", "off", "checkout"],
  ["checkout on", "on", "checkout"],
  ["enable sign-in form in staging", "on", "sign-in form staging"],
  ["production off paypal", "off", "production paypal"],
  ["paypal turn off in production", "off", "paypal production"],
  ["turn paypal off", "off", "paypal"],
  ["offline mode", undefined, "offline mode"],
  ["off", undefined, "off"],
])("the command palette reads %j", (query, state, text) => {
  expect(parseCommand(query, words(english))).toEqual({ state, text });
});

it("the command palette reads German commands, whose verb is at the end", () => {
  expect(parseCommand("checkout in production ausschalten", words(german))).toEqual({
    state: "off",
    text: "checkout production",
  });
});

it.each([
  ["segment eu", "Segments EU customers"],
  ["customers eu segments", "Segments EU customers"],
  ["ann@example.com", "Users Ann Berg ann@example.com"],
  ["berg ann", "Users Ann Berg ann@example.com"],
  ["key backend", "API keys Backend SDK"],
  ["trems delivery raise request", "Change requests Raise delivery terms #12"],
])("the words of %j find %j in any order", (query, found) => {
  const items = [
    "Segments EU customers",
    "Segments Beta testers",
    "Users Ann Berg ann@example.com",
    "Users Ben Okafor ben@example.com",
    "API keys Backend SDK",
    "Change requests Raise delivery terms #12",
  ];
  expect(searchWords(items, query, (item) => item)).toEqual([found]);
});

it("a search needs all of its words", () => {
  expect(searchWords(["Segments EU customers"], "segment asia", (item) => item)).toEqual([]);
});

it.each([
  ["segment eu", "Segments", "eu"],
  ["EU customers seg", "Segments", "customers"],
  ["api keys", "API keys", undefined],
  ["ann@example.com", "Users", "ann@example.com"],
  ["s", "Segments", "s"],
])("the service gets the longest word of %j for the list %j", (query, list, word) => {
  expect(searchedWord(query, list)).toBe(word);
});

it.each([
  ["segmnets", "Segments"],
  ["enviroments", "Environments"],
  ["palyground", "Playground"],
  ["settings project", "Project settings"],
  ["übersicht", "Übersicht"],
])("a search for %j finds %j", (query, found) => {
  const items = ["Segments", "Environments", "Playground", "Project settings", "Übersicht", "Tags"];
  expect(fuzzySearch(items, query, (item) => item)[0]).toBe(found);
});

it("a search without words returns all items in their order, and a search without a match returns none", () => {
  expect(fuzzySearch(["b", "a"], " ", (item) => item)).toEqual(["b", "a"]);
  expect(fuzzySearch(["Segments", "Tags"], "playground", (item) => item)).toEqual([]);
});

it("a text with a wrong, missing or swapped letter finds the similar flags, the best first", async () => {
  const flags = ["Checkout", "Checkout of guests", "Search"].map(
    (name, id) => ({ id, name, key: `key-${id}` }) as EnrichedFlag,
  );
  const load = async (part: string) =>
    flags.filter(({ name }) => name.toLowerCase().includes(part.toLowerCase()));
  const names = async (text: string) => (await similarFlags(text, load)).map(({ name }) => name);
  for (const text of ["chekcout", "hceckout", "checkuot", "chexkout", "chckout", "checkouut"])
    expect(await names(text)).toEqual(["Checkout", "Checkout of guests"]);
  expect(await names("serch")).toEqual(["Search"]);
  expect(await names("playground")).toEqual([]);
  // Too many flags are similar to a short text.
  expect(await names("sea")).toEqual([]);
});
