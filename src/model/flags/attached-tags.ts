/**
 * A tag of a flag in a request: an object with the tag's id and a value, or a string that is both
 * the tag's name and the value (docs/build/decisions.md, 2.3).
 */
export type TagInput = string | { readonly tagId: number; readonly value: string };

/** A tag of a flag by its name, with another value. Only a list of operations has such a tag. */
export interface NamedTag {
  readonly tagName: string;
  readonly value: string;
}

/** The greatest number of tags of a flag. */
export const MAX_TAGS = 50;

export interface AttachedTag {
  readonly tagId: number;
  readonly name: string;
  readonly value: string;
}

/** Returns the tags of a flag as a request would give them. */
export const attachedTagInputs = (attached: readonly AttachedTag[]): TagInput[] =>
  attached.map(inputOf);

/**
 * Returns the tags of a flag before and after they are replaced by `wanted`, for an audit record. A
 * tag whose value is its name is a string. Both lists are equal if `wanted` names exactly the
 * attached tags, in any order.
 */
export function replacedTags(
  attached: readonly AttachedTag[],
  wanted: readonly TagInput[],
): { readonly before: readonly TagInput[]; readonly after: readonly TagInput[] } {
  const before = attached.map(inputOf);
  const indexes = wanted.map((tag) => attached.findIndex((one) => isAttachedAs(one, tag)));
  const keepsAll = !indexes.includes(-1) && new Set(indexes).size === attached.length;
  return {
    before,
    after: keepsAll ? before : wanted.map((tag, n) => before[indexes[n] ?? -1] ?? tag),
  };
}

export const withoutTag = (attached: readonly AttachedTag[], tag: TagInput): AttachedTag[] =>
  attached.filter((one) => !isAttachedAs(one, tag));

export const hasTag = (attached: readonly AttachedTag[], tag: TagInput): boolean =>
  attached.some((one) => isAttachedAs(one, tag));

/** Returns the attached tags that a request asks for, each once. `attach` returns another tag. */
export function attachedAs(
  attached: readonly AttachedTag[],
  wanted: readonly TagInput[],
  attach: (tag: TagInput) => AttachedTag,
): AttachedTag[] {
  const result: AttachedTag[] = [];
  for (const tag of wanted)
    if (!hasTag(result, tag))
      result.push(attached.find((one) => isAttachedAs(one, tag)) ?? attach(tag));
  return result;
}

/** Returns the distinct values of a flag's tags, in the order in which SQLite sorts texts. */
export const valuesOfTags = (attached: readonly AttachedTag[]): string[] =>
  [...new Set(attached.map(({ value }) => value))].toSorted(byUtf8);

const encoder = new TextEncoder();

function byUtf8(a: string, b: string): number {
  const [x, y] = [encoder.encode(a), encoder.encode(b)];
  const n = x.findIndex((byte, i) => byte !== y[i]);
  return n === -1 ? x.length - y.length : (x[n] ?? 0) - (y[n] ?? -1);
}

const inputOf = ({ tagId, name, value }: AttachedTag): TagInput =>
  name === value ? value : { tagId, value };

const isAttachedAs = ({ tagId, name, value }: AttachedTag, tag: TagInput): boolean =>
  typeof tag === "string"
    ? name === tag && value === tag
    : tagId === tag.tagId && value === tag.value;
