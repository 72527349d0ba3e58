import { jsonBytes } from "../lib/chunks.ts";
import { sha256 } from "../lib/digest.ts";
import { isObject } from "../lib/is-object.ts";
import type { Content } from "./changed-fields.ts";
import { type Cut, escaped, unescaped } from "./markers.ts";
import { countSharedItemsOfFields } from "./shared-items.ts";

/** The contents of an audit record. A creation has no `before`, a deletion has no `after`. */
export interface Contents {
  readonly before?: Content | undefined;
  readonly after?: Content | undefined;
}

/**
 * The maximum size of both contents of an audit record together, as JSON in bytes of UTF-8
 * (docs/build/decisions.md, 4.10).
 */
export const MAX_CONTENT_BYTES = 32 * 1024;

/**
 * The sizes, in bytes, above which `cappedContents` cuts texts and lists. It tries them in this
 * order until the contents fit. The first size, 1 GB, cuts nothing.
 */
const CUT_SIZES = [2 ** 30, 8192, 1024, 256] as const;

/** The size above which whole fields are cut if smaller cuts are not enough, in bytes. */
const CUT_FIELD_SIZE = 512;

/**
 * Returns the contents of an audit record in at most `MAX_CONTENT_BYTES`. Keys that could be read as
 * those of markers are escaped (see `escaped`). Contents that fit stay unchanged otherwise. If they
 * do not fit, list items that both contents have are counted instead of repeated (see
 * `countSharedItems`), and if that is not enough, large values are cut (see `Cut`). `pause` is called
 * before each attempt to do so.
 */
export async function cappedContents(
  exact: Contents,
  pause?: () => Promise<void>,
): Promise<Contents> {
  const contents = escaped(exact) as Contents;
  const bytesOf = newSizes();
  const fits = (found: Contents) => bytesOf(found) <= MAX_CONTENT_BYTES;
  if (fits(contents)) return contents;
  let bytes = Infinity;
  for (const size of CUT_SIZES) {
    await pause?.();
    const cut = await mapFields(contents, (value) => cutParts(value, size, bytesOf));
    // Skips a size that cuts no more than the size before: comparing long lists takes long.
    const cutBytes = bytesOf(cut);
    if (cutBytes === bytes) continue;
    bytes = cutBytes;
    const capped = shortened(cut);
    if (fits(capped)) return capped;
  }
  return mapFields(contents, async (value) =>
    bytesOf(value) <= CUT_FIELD_SIZE ? value : cutOf(value),
  );
}

/** Returns the size of a value as JSON, in bytes of UTF-8, and 0 for undefined. */
type BytesOf = (value: unknown) => number;

/**
 * Returns a function that measures values, and remembers the sizes of objects and lists. So a large
 * strategy becomes JSON once, instead of once for each size and each level of its parts.
 */
function newSizes(): BytesOf {
  const known = new WeakMap<object, number>();
  const bytesOf = (value: unknown): number => {
    if (value === undefined) return 0;
    if (!hasParts(value)) return jsonBytes(value);
    const found = known.get(value);
    if (found !== undefined) return found;
    const bytes = measure(value);
    known.set(value, bytes);
    return bytes;
  };
  const measure = (value: object): number => {
    const parts = Object.values(value).filter(hasParts);
    if (parts.length === 0) return jsonBytes(value);
    // The JSON of the whole value, with 0 instead of each part.
    const rest = Array.isArray(value) ? value.map(withoutParts) : mapped(value, withoutParts);
    return parts.reduce((bytes: number, part) => bytes + bytesOf(part) - 1, jsonBytes(rest));
  };
  return bytesOf;
}

function shortened({ before, after }: Contents): Contents {
  if (!before || !after) return { before, after };
  const [shortBefore, shortAfter] = countSharedItemsOfFields(before, after);
  return { before: shortBefore, after: shortAfter };
}

async function mapFields(
  { before, after }: Contents,
  map: (value: unknown) => Promise<unknown>,
): Promise<Contents> {
  const [mappedBefore, mappedAfter] = await Promise.all([
    before && mapValues(before, map),
    after && mapValues(after, map),
  ]);
  return { before: mappedBefore, after: mappedAfter };
}

const mapValues = async (content: Content, map: (value: unknown) => Promise<unknown>) =>
  Object.fromEntries(
    await Promise.all(
      Object.entries(content).map(async ([key, value]) => [key, await map(value)] as const),
    ),
  );

const hasParts = (value: unknown): value is object => typeof value === "object" && value !== null;

const withoutParts = (value: unknown): unknown => (hasParts(value) ? 0 : value);

const mapped = (value: object, map: (part: unknown) => unknown) =>
  Object.fromEntries(Object.entries(value).map(([key, part]) => [key, map(part)]));

/** Cuts every text, and every list without objects, that is larger than `size` bytes. */
async function cutParts(value: unknown, size: number, bytesOf: BytesOf): Promise<unknown> {
  // A small value has no large parts. Skips them, because a strategy can have thousands.
  if (bytesOf(value) <= size) return value;
  if (isObject(value)) return mapValues(value, (part) => cutParts(part, size, bytesOf));
  if (Array.isArray(value) && value.some(isObject))
    return Promise.all(value.map((item) => cutParts(item, size, bytesOf)));
  return cutOf(value);
}

/** Returns what a record has instead of a value that is too large. */
async function cutOf(value: unknown): Promise<Cut> {
  const exact = unescaped(value);
  return {
    $cut: {
      bytes: jsonBytes(exact),
      ...(Array.isArray(exact) && { items: exact.length }),
      sha256: await sha256(JSON.stringify(exact)),
    },
  };
}
