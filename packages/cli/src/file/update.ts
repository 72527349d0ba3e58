import { pathOf, namedFields, resourcesOf } from "@feature-flags/file/diff";
import type { FlagsFile } from "@feature-flags/file/file";
import { isObject, isSame } from "@feature-flags/file/json";
import { Failure } from "../failure.ts";
import { edited } from "./edit.ts";
import { type FlagsDocument, keysOf, type LoadedFile, parseText, valueOf } from "./load.ts";
import { wantedValue } from "./wanted.ts";

/** What an update changes, and what it cannot change. JSON Pointers into the file. */
export interface Updated {
  readonly changed: readonly string[];
  /** The resources of the file that the project does not have. */
  readonly missing: readonly string[];
  /** The new texts of the documents that change, by their files. */
  readonly texts: ReadonlyMap<string, string>;
}

interface Field {
  readonly path: string;
  readonly wanted: unknown;
}

/**
 * Returns a file whose fields have the values of the project. Keeps the bytes of everything that has the
 * right value, such as comments and the form of lists. Adds no field.
 *
 * @param isWanted whether to update the field at a JSON Pointer
 * @throws a Failure for a document that cannot be edited
 */
export function updateFile(
  { value, documents }: LoadedFile,
  project: FlagsFile,
  isWanted: (path: string) => boolean = () => true,
): Updated {
  const resources = resourcesOf(value, project);
  const missing = resources.filter(({ kind, current }) => !current && kind !== "strategy");
  const fields = resources.flatMap((resource): Field[] => {
    const { kind, key, environment, wanted: named, current } = resource;
    if (!current) return [];
    return namedFields(kind, named).flatMap((field) => {
      const path = pathOf({ kind, key, environment, field });
      const [file, now] = [named, current].map((one) => (one as Values)[field]);
      const wanted = wantedValue(resource, field, { file, project: now });
      return isSame(file, wanted) || !isWanted(path) ? [] : [{ path, wanted }];
    });
  });
  return {
    changed: fields.map(({ path }) => path),
    missing: missing.map(({ kind, key }) => pathOf({ kind, key })),
    texts: textsOf(documents, fields),
  };
}

type Values = Readonly<Record<string, unknown>>;

function textsOf(
  documents: readonly FlagsDocument[],
  fields: readonly Field[],
): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const rest = new Set(fields);
  for (const document of documents) {
    const before = valueOf(document);
    let after = before;
    for (const field of rest) {
      const next = withValue(after, keysOf(field.path), field.wanted);
      if (next === undefined) continue;
      after = next;
      rest.delete(field);
    }
    if (after !== before) texts.set(document.file, textOf(document, before, after));
  }
  return texts;
}

/** Returns a copy of a value with another field; undefined if the value does not have the field. */
function withValue(value: unknown, [key, ...keys]: readonly string[], wanted: unknown): unknown {
  if (key === undefined) return wanted;
  if (!isObject(value) || !Object.hasOwn(value, key)) return undefined;
  const part = withValue(value[key], keys, wanted);
  return part === undefined ? undefined : { ...value, [key]: part };
}

function textOf(document: FlagsDocument, before: unknown, after: unknown): string {
  const { file } = document;
  const text = edited(document, before, after);
  const result = parseText(file, text);
  if (result.document.errors.length === 0 && isSame(valueOf(result), after)) return text;
  throw new Failure("error", `${file} has a form that cannot be updated`, {
    remedy: "Write the file again with flags export --output <file>.",
  });
}
