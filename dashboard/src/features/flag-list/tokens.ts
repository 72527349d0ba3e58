import type { FlagsSearch } from "./search-params.ts";
import { canAdd, exclude, include, valuesOf } from "./several.ts";

/*
 * The words of the search box that are filters, such as `tag:shop` and `-owner:"Ann Berg"`. They are the
 * same in all languages.
 */

export const TOKEN_KEYS = [
  "tag",
  "owner",
  "on",
  "off",
  "segment",
  "type",
  "stale",
  "archived",
  "favourite",
] as const;
type TokenKey = (typeof TOKEN_KEYS)[number];

interface Token {
  /** Whether a `-` in front excludes what the filter finds. */
  readonly isNot: boolean;
  /** In lower case. It can be unknown. */
  readonly key: string;
  readonly value: string;
}

interface Named {
  readonly id: number;
  readonly name: string;
}

/** The names that the values of tokens can have in a project. */
export interface Vocabulary {
  readonly tags: readonly Pick<Named, "name">[];
  readonly owners: readonly Named[];
  readonly segments: readonly Named[];
  readonly environments: readonly Named[];
  /** The id of the user, who is called `me`. */
  readonly me: number;
}

interface Part {
  readonly text: string;
  /** Undefined for a word without a colon. */
  readonly token: Token | undefined;
}

const PART = /-?[a-z]+:(?:"[^"]*"?|\S*)|\S+/gi;
const TOKEN = /^(-?)([a-z]+):(?:"([^"]*)"?|(\S*))$/i;

/** Divides a text into words and tokens, in their order. */
export const partsOf = (text: string): readonly Part[] =>
  (text.match(PART) ?? []).map((part) => ({ text: part.trim(), token: tokenOf(part) }));

function tokenOf(part: string): Token | undefined {
  const [, not, key, quoted, plain = ""] = TOKEN.exec(part) ?? [];
  if (key === undefined) return undefined;
  return { isNot: not === "-", key: key.toLowerCase(), value: (quoted ?? plain).trim() };
}

export const isKnown = (key: string): key is TokenKey => TOKEN_KEYS.some((known) => known === key);

/** Returns the text of a token, which `partsOf` reads as the same token. */
export const tokenText = ({ isNot, key, value }: Token): string => {
  const written =
    /\s/.test(value) || value.startsWith('"') ? `"${value.replaceAll('"', "")}"` : value;
  return `${isNot ? "-" : ""}${key}:${written}`;
};

const isSame = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

const idOf = (list: readonly Named[], value: string): number | undefined =>
  list.find(({ name }) => isSame(name, value))?.id;

/** Returns the filters with those of a token. Undefined if the token is none, or one value too many. */
function withToken(
  search: FlagsSearch,
  { isNot, key, value }: Token,
  known: Vocabulary,
): FlagsSearch | undefined {
  const yes = isSame(value, "yes") ? !isNot : isSame(value, "no") ? isNot : undefined;
  if (value === "" || !isKnown(key)) return undefined;
  if (key === "stale")
    return yes === undefined ? undefined : { ...search, stale: yes, archived: undefined };
  if (key === "archived" || key === "favourite")
    return yes
      ? { ...search, [key]: true, ...(key === "archived" && { stale: undefined }) }
      : undefined;
  if (key === "type") return withType(search, value, isNot);
  if (key === "tag") return withValue(search, ["tag", "notTag"], value, isNot);
  if (key === "on" || key === "off") {
    const id = idOf(known.environments, value);
    return id === undefined
      ? undefined
      : withValue(search, ["on", "off"], id, isNot === (key === "on"));
  }
  const id =
    key === "segment"
      ? idOf(known.segments, value)
      : isSame(value, "me")
        ? known.me
        : idOf(known.owners, value);
  if (id === undefined) return undefined;
  return withValue(
    search,
    key === "segment" ? ["segment", "notSegment"] : ["owner", "notOwner"],
    id,
    isNot,
  );
}

function withType(search: FlagsSearch, value: string, isNot: boolean): FlagsSearch | undefined {
  const isRelease = isSame(value, "release");
  if (!isRelease && !isSame(value, "killswitch")) return undefined;
  return { ...search, type: isRelease === isNot ? "KILLSWITCH" : "RELEASE" };
}

/** A filter, and the filter that excludes what the first one finds. */
export type Pair =
  | readonly ["tag", "notTag"]
  | readonly ["owner", "notOwner"]
  | readonly ["segment", "notSegment"]
  | readonly ["on", "off"];

/** Adds a value to the first filter of a pair, or with `isNot` to the second. */
function withValue(
  search: FlagsSearch,
  pair: Pair,
  value: string | number,
  isNot: boolean,
): FlagsSearch | undefined {
  const [name, opposite] = isNot ? [pair[1], pair[0]] : pair;
  if (!canAdd(search[name])) return undefined;
  const [values, others] = include<string | number>(value, search[name], search[opposite]);
  return { ...search, [name]: values, [opposite]: others };
}

/** Adds a value as `withValue`, or removes it if the filter has it. */
export function toggleValue(
  search: FlagsSearch,
  pair: Pair,
  value: string | number,
  isNot: boolean,
) {
  const name = isNot ? pair[1] : pair[0];
  if (valuesOf<string | number>(search[name]).includes(value))
    return { ...search, [name]: exclude<string | number>(value, search[name]) };
  return withValue(search, pair, value, isNot) ?? search;
}

interface Digested {
  readonly search: FlagsSearch;
  /** What is left in the search box. */
  readonly text: string;
  /** The words to search for. A token that the user still types is none of them. */
  readonly words: string;
}

/** Whether the last part of a text is complete: a space or a closing quotation mark ends it. */
const isComplete = (text: string): boolean =>
  !/:"[^"]*$/.test(text) && (/\s$/.test(text) || /:"[^"]+"$/.test(text));

/**
 * Moves the tokens of a text to the filters. The last part stays unless a space follows, because the user
 * may still be typing. Tokens that are no filters stay as words.
 */
export function digest(text: string, search: FlagsSearch, known: Vocabulary): Digested {
  const parts = partsOf(text);
  const isTyping = !isComplete(text);
  let changed = search;
  const left = parts.filter(({ token }, index) => {
    if (!token || (isTyping && index === parts.length - 1)) return true;
    const next = withToken(changed, token, known);
    changed = next ?? changed;
    return next === undefined;
  });
  const last = left.at(-1)?.token;
  const words = isTyping && last && isKnown(last.key) ? left.slice(0, -1) : left;
  const join = (list: readonly Part[]) => list.map((part) => part.text).join(" ");
  const isMoved = left.length < parts.length;
  return {
    search: changed,
    text: isMoved ? withSpace(join(left), isTyping) : text,
    words: join(words),
  };
}

const withSpace = (text: string, isTyping: boolean) =>
  text === "" || isTyping ? text : `${text} `;

/** The most values that are offered. */
const MAX_OFFERED = 8;

/** Returns the keys or tokens that complete the last part of a text. */
export function suggestions(text: string, known: Vocabulary): readonly string[] {
  if (isComplete(text)) return [];
  const last = partsOf(text).at(-1);
  if (!last) return [];
  if (!last.token) {
    const not = last.text.startsWith("-") ? "-" : "";
    const typed = last.text.slice(not.length).toLowerCase();
    return TOKEN_KEYS.filter((key) => key.startsWith(typed)).map((key) => `${not}${key}:`);
  }
  const { key, value } = last.token;
  if (!isKnown(key)) return [];
  const typed = value.toLowerCase();
  return namesFor(key, known)
    .filter((name) => name.toLowerCase().includes(typed))
    .slice(0, MAX_OFFERED)
    .map((name) => tokenText({ ...(last.token as Token), key, value: name }));
}

function namesFor(key: TokenKey, known: Vocabulary): readonly string[] {
  const names = (list: readonly Pick<Named, "name">[]) => list.map(({ name }) => name);
  if (key === "tag") return names(known.tags);
  if (key === "owner") return ["me", ...names(known.owners.filter(({ id }) => id !== known.me))];
  if (key === "segment") return names(known.segments);
  if (key === "on" || key === "off") return names(known.environments);
  if (key === "type") return ["release", "killswitch"];
  return key === "stale" ? ["yes", "no"] : ["yes"];
}

/** Returns a text whose last part is replaced. */
export const replaceLast = (text: string, part: string): string => {
  const last = partsOf(text).at(-1)?.text ?? "";
  return text.trimEnd().slice(0, -last.length || undefined) + part;
};
