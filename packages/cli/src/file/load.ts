import { readdirSync, readFileSync, statSync } from "node:fs";
import path from "node:path";
import { inexactNumber } from "@feature-flags/evaluation/json-numbers";
import { checkFile } from "@feature-flags/file/check";
import type { FlagsFile } from "@feature-flags/file/file";
import { isObject } from "@feature-flags/file/json";
import { isRounded } from "@feature-flags/file/rounded";
import {
  type Document,
  isMap,
  isNode,
  isScalar,
  LineCounter,
  parseDocument,
  visit,
  type YAMLMap,
} from "yaml";
import { Failure } from "../failure.ts";

/** How many nodes aliases may stand for, per node of the file. Protects against a YAML bomb. */
const MAX_ALIASES = 100;

/** A place in a file on this machine. Line and column begin at 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One YAML or JSON document on this machine. */
export interface FlagsDocument {
  readonly file: string;
  readonly text: string;
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

/** A file with flags, which may be a folder with several documents. */
export interface LoadedFile {
  readonly value: FlagsFile;
  readonly documents: readonly FlagsDocument[];
}

/** Something to say about a place of the file, named by its JSON Pointer. */
export interface Remark {
  readonly path: string;
  readonly message: string;
}

/**
 * Reads a file, or all YAML files of a folder as one file. Throws: a Failure that names the line of each
 * error: wrong YAML, a repeated key, an unknown field, a value of a wrong type.
 */
export function loadFile(location: string): LoadedFile {
  const documents = filesOf(location).map(parse);
  const value = documents.reduce<unknown>((whole, one) => merged(whole, one), undefined);
  const checked = checkFile(value);
  if ("file" in checked) return { value: checked.file, documents };
  throw failure(
    checked.faults.map((fault) => placedText(placeOf({ documents }, fault.path), fault)),
  );
}

function filesOf(location: string): readonly string[] {
  const stats = statSync(location, { throwIfNoEntry: false });
  if (stats === undefined)
    throw new Failure("usage", `${location} does not exist`, {
      remedy: "flags export writes a first file.",
    });
  if (!stats.isDirectory()) return [location];
  const names = readdirSync(location).filter((name) => /\.(?:ya?ml)$/.test(name));
  if (names.length > 0) return names.toSorted().map((name) => path.join(location, name));
  throw new Failure("usage", `${location} has no YAML files`);
}

/** Reads a text as YAML 1.2. The document has the errors, and the tokens with their places. */
export function parseText(file: string, text: string): FlagsDocument {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    keepSourceTokens: true,
    lineCounter: lines,
    prettyErrors: false,
    uniqueKeys: true,
    version: "1.2",
  });
  return { file, text, document, lines };
}

function parse(file: string): FlagsDocument {
  const parsed = parseText(file, readFileSync(file, "utf8"));
  const { document, lines } = parsed;
  // The program contains no schema but that of YAML 1.2 (tsdown.config.ts).
  if (document.directives.yaml.version !== "1.2")
    throw failure([`${file}:1:1 Remove the line %YAML: the file must be YAML 1.2`]);
  const problems = [...document.errors, ...document.warnings, ...roundedNumbers(document)];
  if (problems.length === 0) return parsed;
  throw failure(
    problems.map(({ pos: [offset], message }) => {
      const { line, col } = lines.linePos(offset);
      return `${file}:${line}:${col} ${message}`;
    }),
  );
}

/** Returns the numbers that would be rounded, each as an error with its place. */
function roundedNumbers(document: Document) {
  const found: { readonly pos: readonly [number, number]; readonly message: string }[] = [];
  visit(document, {
    Scalar(_key, { value, source = "", range }) {
      const message = `${source} would be rounded: write it in quotes, or with fewer digits`;
      if (typeof value === "number" && isRounded(source))
        found.push({ pos: [range?.[0] ?? 0, 0], message });
    },
  });
  return found;
}

const failure = (lines: readonly string[]): Failure =>
  new Failure("error", ["The file has errors:", ...lines].join("\n  "));

/** Returns the value of a document. Throws: a Failure for a YAML bomb. */
export function valueOf({ file, document }: FlagsDocument): unknown {
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw failure([`${file}: ${(error as Error).message}`]);
  }
}

/** Reads a YAML or JSON document of any form. Throws: a Failure that names the line of each error. */
export function readDocument(file: string): unknown {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    throw new Failure("usage", `${file} does not exist, or is no file`);
  const text = readFileSync(file, "utf8");
  try {
    // Reads JSON many times as fast as the parser of YAML, which names the line of a rounded number.
    if (inexactNumber(text) === undefined) return JSON.parse(text);
  } catch {
    // The text is YAML, or has an error that the parser of YAML finds.
  }
  return valueOf(parse(file));
}

/** Adds a document to those before it. Throws: a Failure when both have the same flag or field. */
function merged(whole: unknown, one: FlagsDocument): unknown {
  const value = valueOf(one);
  return whole === undefined ? value : combined(whole, value, [one.file]);
}

function combined(one: unknown, other: unknown, place: readonly string[]): unknown {
  if (one === undefined || one === other) return other;
  if (!isObject(one) || !isObject(other) || place.length > 2)
    throw failure([`${place.join(" ")}: is also in an earlier file of the folder`]);
  const result: Record<string, unknown> = { ...one };
  for (const [key, part] of Object.entries(other))
    result[key] = Object.hasOwn(one, key) ? combined(one[key], part, [...place, key]) : part;
  return result;
}

/** Returns the keys of a JSON Pointer. */
export const keysOf = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

/**
 * Returns the place of a JSON Pointer. For a pointer that no document has, the place of the nearest part
 * above it, or the beginning of the first document.
 */
export function placeOf({ documents }: Pick<LoadedFile, "documents">, pointer: string): Place {
  const keys = keysOf(pointer);
  for (let length = keys.length; length > 0; length--) {
    const found = documents.flatMap((one) => nodePlace(one, keys.slice(0, length)) ?? []);
    if (found[0] !== undefined) return found[0];
  }
  return { file: documents[0]?.file ?? "", line: 1, column: 1 };
}

/** Returns the place of the key of a field, or of an item of a list. */
function nodePlace(
  { file, document, lines }: FlagsDocument,
  keys: readonly string[],
): Place | undefined {
  const parent = keys.length === 1 ? document.contents : document.getIn(keys.slice(0, -1), true);
  const key = isMap(parent) ? keyNode(parent, keys.at(-1) ?? "") : document.getIn(keys, true);
  if (!isNode(key) || !key.range) return undefined;
  const { line, col } = lines.linePos(key.range[0]);
  return { file, line, column: col };
}

const keyNode = ({ items }: YAMLMap, name: string): unknown =>
  items.find(({ key }) => isScalar(key) && String(key.value) === name)?.key;

/** Returns a remark with its place in front. */
export const placedText = ({ file, line, column }: Place, { path: pointer, message }: Remark) =>
  `${file}:${line}:${column} ${pointer} ${message}`;
