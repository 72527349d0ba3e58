import { type Call, CALLS, CLIENT_NAME, OWN_CLIENT, type ValueType } from "./calls.ts";
import { positions } from "./positions.ts";
import { type Language, readSource, type Source } from "./source.ts";

/** A place in a source that names a flag. */
export interface Reference {
  readonly file: string;
  /** Begin at 1. The column counts UTF-16 code units. */
  readonly line: number;
  readonly column: number;
  readonly key: string;
  /** What names the flag: the library of the call, `alias`, or `text` for any other text. */
  readonly via: Call["sdk"] | "alias" | "text";
  /** The type that the call expects. Undefined: any type, or not known. */
  readonly type: ValueType | undefined;
}

export interface ScanOptions {
  /** Expressions for further calls. The group `key`, or the first group, is the key. */
  readonly aliases: readonly RegExp[];
  /** The keys that make any text a reference, such as a constant. */
  readonly keys: ReadonlySet<string>;
}

interface Found {
  readonly offset: number;
  readonly key: string;
  readonly via: Reference["via"];
  readonly type: ValueType | undefined;
}

/**
 * Finds the flags that a source names: in calls whose key is a literal, in aliases, and in texts that
 * are equal to one of `keys`. A line with a comment `flags-ignore`, and the line after it, count not.
 */
export function scan(
  file: string,
  text: string,
  language: Language,
  options: ScanOptions,
): readonly Reference[] {
  const source = readSource(text, language);
  const positionOf = positions(text);
  const ignored = new Set(
    source.ignored.flatMap((offset) => {
      const { line } = positionOf(offset);
      return [line, line + 1];
    }),
  );
  const byOffset = new Map<number, Found>();
  const add = (found: Found) => {
    if (!byOffset.has(found.offset)) byOffset.set(found.offset, found);
  };
  for (const found of calls(source, language)) add(found);
  for (const alias of options.aliases) for (const found of matches(source, alias)) add(found);
  for (const [offset, { value }] of source.literals)
    if (options.keys.has(value)) add({ offset, key: value, via: "text", type: undefined });
  return [...byOffset.values()]
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ offset, key, via, type }) => {
      const { line, column } = positionOf(offset);
      return { file, line, column, key, via, type };
    })
    .filter(({ line }) => !ignored.has(line));
}

/** A name with an opening parenthesis, and type arguments between them. */
const NAME = /(?<![\w$])([A-Za-z_$][\w$]*)\s*(?:<[^()]{0,200}?>\s*)?\(/g;

/** The characters before a call that can have its object. */
const LOOK_BACK = 100;
const METHOD = /\.\s*$/;
const OBJECT = /([\w$]+)\s*(?:\([^()]*\))?\s*[?!]*\.\s*$/;
const KEYWORD = /\s*(?:(?:flag_key|key|feature_name)\s*=\s*)?/y;

function* calls(source: Source, language: Language): Generator<Found> {
  const { code } = source;
  const clients = new Set(Array.from(code.matchAll(OWN_CLIENT), ([, name = ""]) => name));
  for (const match of code.matchAll(NAME)) {
    const known = CALLS[language].get(match[1] ?? "");
    if (known === undefined) continue;
    const before = code.slice(Math.max(0, match.index - LOOK_BACK), match.index);
    if (!isCallOf(known, before, clients)) continue;
    const offset = keyOffset(source, match.index + match[0].length, known.keyAt);
    const key = offset === undefined ? undefined : source.literals.get(offset)?.value;
    if (offset === undefined || key === undefined) continue;
    yield { offset, key, via: known.sdk, type: known.type };
  }
}

/** Whether the code before the name fits: an object that looks like a client of flags. */
function isCallOf(
  { isFunction, isCommonName }: Call,
  before: string,
  clients: ReadonlySet<string>,
): boolean {
  if (isFunction) return !METHOD.test(before);
  if (!METHOD.test(before)) return false;
  const name = OBJECT.exec(before)?.[1] ?? "";
  return !isCommonName || clients.has(name) || CLIENT_NAME.test(name);
}

/** Returns the offset of the key's text; undefined if the key is no literal. */
function keyOffset(source: Source, from: number, keyAt: 0 | 1): number | undefined {
  const start = keyAt === 0 ? from : secondArgument(source, from);
  if (start === undefined) return undefined;
  KEYWORD.lastIndex = start;
  KEYWORD.exec(source.code);
  const at = KEYWORD.lastIndex;
  const literal = source.literals.get(at);
  if (literal === undefined) return undefined;
  // Another character, such as a plus, makes the text a part of the key.
  return /^\s*[,)]/.test(source.code.slice(literal.end, literal.end + LOOK_BACK)) ? at : undefined;
}

/** Returns the offset after the first argument; undefined if the first argument is a text. */
function secondArgument({ code, literals }: Source, from: number): number | undefined {
  const first = from + (/^\s*/.exec(code.slice(from))?.[0].length ?? 0);
  if (literals.has(first)) return undefined;
  let depth = 0;
  for (let at = from; at < code.length; at++) {
    const character = code[at] ?? "";
    if ("([{".includes(character)) depth++;
    if (")]}".includes(character)) depth--;
    if (depth < 0) return undefined;
    if (depth === 0 && character === ",") return at + 1;
  }
  return undefined;
}

function* matches({ uncommented }: Source, alias: RegExp): Generator<Found> {
  for (const match of uncommented.matchAll(alias)) {
    const key = match.groups?.["key"] ?? match[1];
    if (key === undefined) continue;
    const range = match.indices?.groups?.["key"] ?? match.indices?.[1];
    yield { offset: range?.[0] ?? match.index, key, via: "alias", type: undefined };
  }
}
