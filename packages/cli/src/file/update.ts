import { differences, pathOf } from "@feature-flags/file/diff";
import type { FlagsFile } from "@feature-flags/file/file";
import { isObject, isSame } from "@feature-flags/file/json";
import { type Document, isCollection, isScalar, stringify } from "yaml";
import { type FlagsDocument, keysOf, type LoadedFile } from "./load.ts";

/** What an update has changed, and what it could not change. JSON Pointers into the file. */
export interface Updated {
  readonly changed: readonly string[];
  /** The resources of the file that the project does not have. */
  readonly missing: readonly string[];
}

type Keys = readonly (string | number)[];

/**
 * Gives the fields that a file names the values of the project. Keeps comments, the order, and the form
 * of everything that has the right value. Adds no field.
 *
 * @param isWanted whether to update the field at a JSON Pointer
 */
export function updateFile(
  { value, documents }: LoadedFile,
  project: FlagsFile,
  isWanted: (pointer: string) => boolean = () => true,
): Updated {
  const all = differences(value, project).map((one) => {
    const { field, before } = one;
    return { field, before, pointer: pathOf(one) };
  });
  const missing = all.filter(({ field }) => field === undefined);
  const outdated = all.filter(({ field, pointer }) => field !== undefined && isWanted(pointer));
  for (const { pointer, before } of outdated) {
    const keys = keysOf(pointer);
    const owner = documents.find(({ document }) => document.hasIn(keys));
    if (owner !== undefined) setValue(owner.document, keys, before);
  }
  const pointers = (list: typeof all) => list.map(({ pointer }) => pointer);
  return { changed: pointers(outdated), missing: pointers(missing) };
}

/**
 * Replaces a value. Goes into maps with the same keys and lists of the same length, so that comments in
 * them stay.
 */
function setValue(document: Document, keys: Keys, wanted: unknown): void {
  const node = document.getIn(keys, true);
  const current: unknown = isCollection(node) ? node.toJS(document) : undefined;
  if (current !== undefined && isSame(current, wanted)) return;
  const parts = entriesOf(wanted);
  if (parts !== undefined && haveSameKeys(entriesOf(current), parts))
    for (const [key, part] of parts) setValue(document, [...keys, key], part);
  else if (isScalar(node) && parts === undefined) node.value = wanted;
  else {
    const flow = isCollection(node) && node.flow === true;
    document.setIn(keys, document.createNode(wanted, { flow }));
  }
}

type Entries = readonly (readonly [string | number, unknown])[];

const haveSameKeys = (some: Entries | undefined, others: Entries): boolean =>
  some !== undefined &&
  isSame(
    some.map(([key]) => key),
    others.map(([key]) => key),
  );

/** Returns the entries of a list, or those of an object sorted by key. Undefined for other values. */
function entriesOf(value: unknown): Entries | undefined {
  if (Array.isArray(value)) return value.map((item: unknown, index) => [index, item] as const);
  if (!isObject(value)) return undefined;
  return Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** The most characters of a line of YAML. A longer text is folded. */
const LINE_WIDTH = 100;

/** Returns a document as YAML, or as JSON if its file is JSON. */
export const textOf = ({ file, document }: FlagsDocument): string =>
  file.endsWith(".json")
    ? `${JSON.stringify(document.toJS(), null, 2)}\n`
    : document.toString({ lineWidth: LINE_WIDTH });

/** Returns a value as YAML. Quotes texts that YAML 1.1 reads as something else, such as `on`. */
export const yamlOf = (value: unknown): string =>
  stringify(value, { lineWidth: LINE_WIDTH, version: "1.2", compat: "yaml-1.1" });
