import type { Messages } from "./en/index.ts";
import { formatsOf } from "./formats.ts";
import type { Language } from "./language.ts";

type Keys<T, Path extends string = ""> = {
  [K in keyof T & string]: T[K] extends string ? `${Path}${K}` : Keys<T[K], `${Path}${K}.`>;
}[keyof T & string];
type Key = Keys<Messages>;

type PluralOf<K extends string> = K extends `${infer Name}_one`
  ? `${Name}_other` extends Key
    ? Name
    : never
  : never;
/** The key of a text with a plural, without `_one` and `_other`. */
type PluralKey = PluralOf<Key>;

/** The key of a text without a plural, such as `common.save`. */
export type TextKey = Exclude<Key, `${string}_${"zero" | "one" | "other"}`>;

/** The values for the `{{name}}` of a text. */
export type Values = Readonly<Record<string, unknown>>;

/**
 * Returns the text of a key, with the values inserted. Returns the key if there is no such text. A
 * text with a plural needs `count`.
 */
export type Translate = <K extends TextKey | PluralKey>(
  key: K,
  ...values: [Extract<K, PluralKey>] extends [never]
    ? [values?: Values]
    : [values: Values & { readonly count: number }]
) => string;

/** A part of a text: plain text, or a tag such as `<name>…</name>` or `<time/>` with its parts. */
export type Part = string | { readonly tag: string; readonly parts: readonly Part[] };

export interface Translation {
  readonly language: Language;
  readonly t: Translate;
  /** Returns the parts of a text with tags. Inserted values are plain text. */
  readonly split: (key: TextKey, values?: Values) => readonly Part[];
  /** Adds texts. They load in several parts. */
  readonly add: (texts: object) => void;
}

/** Creates a translation that has no texts yet. `{{count, number}}` follows the locale. */
export function createTranslation(language: Language, locale: string): Translation {
  const texts = new Map<string, string>();
  const { number } = formatsOf(language, locale);
  // Created when it is needed first, because that takes some milliseconds.
  let plurals: Intl.PluralRules | undefined;

  const add = (group: object, path = ""): void => {
    for (const [name, text] of Object.entries(group))
      if (typeof text === "string") texts.set(path + name, text);
      else add(text, `${path}${name}.`);
  };

  const plural = (key: string, count: number) => {
    plurals ??= new Intl.PluralRules(language);
    const zero = count === 0 ? texts.get(`${key}_zero`) : undefined;
    return zero ?? texts.get(`${key}_${plurals.select(count)}`);
  };

  const insert = (text: string, values: Values): string => {
    // Most texts have no values, and `replaceAll` with a pattern is slow.
    if (!text.includes("{{")) return text;
    return text.replaceAll(/\{\{(\w+)(, number)?\}\}/g, (_all, name: string, isNumber?: string) => {
      const value = values[name];
      if (typeof value === "number") return isNumber ? number(value) : String(value);
      return typeof value === "string" ? value : "";
    });
  };

  return {
    language,
    t: (key, values: Values = {}) => {
      const { count } = values;
      const text = typeof count === "number" ? plural(key, count) : undefined;
      return insert(text ?? texts.get(key) ?? key, values);
    },
    split: (key, values = {}) => splitTags(texts.get(key) ?? key, (text) => insert(text, values)),
    add: (group) => add(group),
  };
}

/** Splits a text at its tags. A tag may contain other tags, but not itself. */
function splitTags(text: string, insert: (text: string) => string): readonly Part[] {
  const found = /<(\w+)(?:\/>|>(.*?)<\/\1>)/s.exec(text);
  if (!found) return text === "" ? [] : [insert(text)];
  const [all, tag = "", inside = ""] = found;
  return [
    ...splitTags(text.slice(0, found.index), insert),
    { tag, parts: splitTags(inside, insert) },
    ...splitTags(text.slice(found.index + all.length), insert),
  ];
}
