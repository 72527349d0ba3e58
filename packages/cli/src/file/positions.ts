import {
  type CST,
  isCollection,
  isMap,
  isNode,
  isScalar,
  type Node,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

/** A field of a map or an item of a list in the text of a document. Positions are in characters. */
export interface Item {
  readonly index: number;
  /** Undefined in a list. */
  readonly key: string | undefined;
  /** Undefined: a key without a value, such as `a` in `{ a }`. */
  readonly value: Node | undefined;
  /** The position of the dash or the key, or of the tag or anchor before the key. */
  readonly start: number;
  /** The position after the value. After the line break for a text that ends with one. */
  readonly end: number;
}

export type Collection = YAMLMap | YAMLSeq;

/** Whether a collection has its items in lines, without brackets. */
export const isBlock = (node: Collection): boolean => node.flow !== true;

/** Returns the items of a collection of a document that was parsed with `keepSourceTokens`. */
export function itemsOf(collection: Collection): readonly Item[] {
  if (isMap(collection))
    return collection.items.map(({ key, value, srcToken }, index) => ({
      index,
      key: isScalar(key) ? String(key.value) : undefined,
      value: isNode(value) ? value : undefined,
      start: startOfToken(srcToken),
      end: endOf(isNode(value) ? value : key),
    }));
  const { srcToken } = collection;
  const tokens = srcToken && "items" in srcToken ? srcToken.items.filter(isItem) : [];
  return collection.items.map((value, index) => ({
    index,
    key: undefined,
    value: isNode(value) ? value : undefined,
    start: startOfToken(tokens[index]),
    end: endOf(value),
  }));
}

type ItemToken = CST.CollectionItem;

/** What begins an item, besides its key or its value. */
const FIRST = new Set(["seq-item-ind", "explicit-key-ind", "anchor", "tag"]);

const isFirst = ({ type }: CST.SourceToken): boolean => FIRST.has(type);

/** A comment or a comma after the last item is a token without a value. */
const isItem = ({ start, key, value, sep }: ItemToken): boolean =>
  start.some(isFirst) || Boolean(key ?? value ?? sep);

const startOfToken = (item: ItemToken | undefined): number =>
  (item?.start.find(isFirst) ?? item?.key ?? item?.sep?.[0] ?? item?.value)?.offset ?? 0;

/** Returns the position of the first item of a block, or that of another node. */
export const startOf = (node: Node): number =>
  (isCollection(node) && isBlock(node) && itemsOf(node)[0]?.start) || (node.range?.[0] ?? 0);

/** Returns the position after a node. The range of a block also has the comments behind it. */
export function endOf(node: unknown): number {
  if (!isNode(node)) return 0;
  const last = isCollection(node) && isBlock(node) ? itemsOf(node).at(-1) : undefined;
  return last?.end ?? node.range?.[1] ?? 0;
}
