import { isRecord } from "@feature-flags/evaluation/record";

/**
 * A part of a value that an audit record with long contents does not have: items of a list that did
 * not change (`$unchanged`), or a list or text that was too large (`$cut`). `count` is the number of
 * items, or the number of bytes of a text. The kind is also the name of its translation.
 */
export interface Omitted {
  kind: "unchangedItems" | "cutItems" | "cutText";
  count: number;
}

interface ExactPart {
  /** The value without its omitted parts. Undefined if the whole value is omitted. */
  value: unknown;
  omitted: readonly Omitted[];
}

/** Separates the exact part of a value in an audit record from its omitted parts. */
export function exactPart(value: unknown): ExactPart {
  const own = omittedPart(value);
  if (own) return { value: undefined, omitted: [own] };
  if (Array.isArray(value)) {
    const parts = value.map(exactPart);
    return {
      value: parts.flatMap((part) => (part.value === undefined ? [] : [part.value])),
      omitted: parts.flatMap(({ omitted }) => omitted),
    };
  }
  if (typeof value !== "object" || value === null) return { value, omitted: [] };
  const parts = Object.entries(value).map(
    ([key, item]) => [withoutEscape(key), exactPart(item)] as const,
  );
  return {
    value: Object.fromEntries(
      parts.map(([key, part]) => [key, part.value ?? (isOmittedList(part) ? [] : part.value)]),
    ),
    omitted: parts.flatMap(([, { omitted }]) => omitted),
  };
}

/** Returns a key of a value without the `$` that distinguishes it from the keys of markers. */
const withoutEscape = (key: string): string =>
  /^\$\$+(?:unchanged|cut)$/.test(key) ? key.slice(1) : key;

/** Whether a value stands for unchanged items of a list. */
export const isUnchanged = (item: unknown): boolean => unchangedCount(item) !== undefined;

/** Returns the number of the unchanged items of a list for which a value stands. */
export function unchangedCount(item: unknown): number | undefined {
  const part = omittedPart(item);
  return part?.kind === "unchangedItems" ? part.count : undefined;
}

/** Whether a value stands for a text or list that was too large. */
export const isCut = (value: unknown): boolean => {
  const part = omittedPart(value);
  return part !== undefined && part.kind !== "unchangedItems";
};

const isOmittedList = ({ omitted }: ExactPart): boolean =>
  omitted.some(({ kind }) => kind !== "cutText");

/** Checks all parts, because the JSON value of a variant may have fields with the same names. */
function omittedPart(value: unknown): Omitted | undefined {
  if (!isRecord(value) || Object.keys(value).length !== 1) return undefined;
  const { $unchanged: unchanged, $cut: cut } = value;
  if (typeof unchanged === "number") return { kind: "unchangedItems", count: unchanged };
  if (!isRecord(cut) || typeof cut["sha256"] !== "string") return undefined;
  const { bytes, items } = cut;
  if (typeof items === "number") return { kind: "cutItems", count: items };
  return typeof bytes === "number" ? { kind: "cutText", count: bytes } : undefined;
}
