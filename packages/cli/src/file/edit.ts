import { isObject, isSame } from "@feature-flags/file/json";
import { isAlias, isCollection, isMap, isNode, isScalar, isSeq, type Node, visit } from "yaml";
import type { FlagsDocument } from "./load.ts";
import { type Collection, endOf, isBlock, type Item, itemsOf, startOf } from "./positions.ts";
import { blockScalarText, blockText, flowText, scalarText, type Style } from "./yaml-text.ts";

/** Replaces a part of a text. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Returns the text of a document with another value. Only the parts with another value are rewritten. */
export function edited(document: FlagsDocument, before: unknown, wanted: unknown): string {
  const { text } = document;
  const editor = new Editor(document);
  const { contents } = document.document;
  if (isNode(contents)) editor.change(contents, before, wanted);
  const lineEnd = text.includes("\r\n") ? "\r\n" : "\n";
  let [result, end] = ["", 0];
  for (const edit of editor.edits.toSorted((a, b) => a.start - b.start || a.end - b.end)) {
    result += text.slice(end, edit.start) + edit.text.replaceAll(/\r?\n/g, lineEnd);
    ({ end } = edit);
  }
  return result + text.slice(end);
}

/** How many spaces a value has in front of it, more than its key. */
const STEP = 2;

class Editor {
  readonly edits: Edit[] = [];
  readonly #source: string;
  readonly #isJson: boolean;
  /** The values of the anchors after the edits. Lacks anchors that are removed. */
  readonly #anchors = new Map<string, unknown>();

  constructor({ file, text }: FlagsDocument) {
    this.#source = text;
    this.#isJson = file.endsWith(".json");
  }

  /**
   * Gives a node another value. Also visits nodes that keep their values, because an alias is expanded
   * when its anchor gets another value.
   */
  change(node: Node, before: unknown, wanted: unknown, parent?: Collection): void {
    if (isAlias(node)) {
      const { source } = node;
      const isRight = this.#anchors.has(source) && isSame(this.#anchors.get(source), wanted);
      if (!isRight) this.#replace(node, wanted, parent);
      return;
    }
    if ("anchor" in node && node.anchor !== undefined) this.#anchors.set(node.anchor, wanted);
    if (isMap(node) && isObject(before) && isObject(wanted) && haveSharedKey(before, wanted))
      this.#changeMap(node, before, wanted);
    else if (isSeq(node) && isList(before) && isList(wanted))
      this.#changeList(node, before, wanted);
    else if (!isSame(before, wanted)) this.#replace(node, wanted, parent);
  }

  #changeMap(map: Collection, before: Fields, wanted: Fields): void {
    const items = itemsOf(map);
    const keeps = ({ key = "" }: Item) => Object.hasOwn(wanted, key);
    for (const item of items) {
      const { key = "", value } = item;
      if (!keeps(item)) this.#loseAnchors(value);
      else if (value) this.change(value, before[key], wanted[key], map);
      else if (wanted[key] !== null)
        this.#edit(item.end, item.end, `: ${this.#flow(wanted[key], map)}`);
    }
    const added = Object.keys(wanted).filter((key) => !Object.hasOwn(before, key));
    const texts = added.map((key) => this.#fieldText(key, wanted[key], map));
    this.#insert(map, items.findLast(keeps), texts);
    this.#remove(map, keeps);
  }

  /** Leaves the equal items at the beginning and at the end alone, and changes those in between. */
  #changeList(list: Collection, before: readonly unknown[], wanted: readonly unknown[]): void {
    const items = itemsOf(list);
    const shorter = Math.min(before.length, wanted.length);
    let [head, tail] = [0, 0];
    while (head < shorter && isSame(before[head], wanted[head])) head += 1;
    while (tail < shorter - head && isSame(before.at(-1 - tail), wanted.at(-1 - tail))) tail += 1;
    const kept = shorter - tail;
    const keeps = ({ index }: Item) => index < kept || index >= before.length - tail;
    for (const item of items) {
      const { index, value } = item;
      const target = index < kept ? index : index + wanted.length - before.length;
      if (!keeps(item)) this.#loseAnchors(value);
      else if (value) this.change(value, before[index], wanted[target], list);
    }
    const texts = wanted
      .slice(kept, wanted.length - tail)
      .map((value) => this.#itemText(value, list));
    this.#insert(list, items[kept - 1], texts);
    this.#remove(list, keeps);
  }

  /** Adds texts after an item; undefined: before the first item. */
  #insert(collection: Collection, after: Item | undefined, texts: readonly string[]): void {
    const items = itemsOf(collection);
    const [first] = items;
    if (texts.length === 0 || first === undefined) return;
    const indent = " ".repeat(this.#column(first.start));
    const [between, behind] = isBlock(collection)
      ? [`\n${indent}`, `\n${indent}`]
      : [this.#separator(collection, items), ", "];
    const text = texts.join(between);
    if (after === undefined) this.#edit(first.start, first.start, text + behind);
    else if (!isBlock(collection)) this.#edit(after.end, after.end, between + text);
    else {
      const end = this.#lineEnd(after.end);
      const isOpen = this.#source[end - 1] !== "\n";
      this.#edit(end, end, isOpen ? between + text : `${indent}${text}\n`);
    }
  }

  /** Removes items. Of a block, removes whole lines, and keeps the comments between them. */
  #remove(collection: Collection, keeps: (item: Item) => boolean): void {
    const items = itemsOf(collection);
    for (let n = 0; n < items.length; n += 1) {
      const first = items[n];
      if (first === undefined || keeps(first)) continue;
      const end = items.findIndex((item, index) => index > n && keeps(item));
      const [next, last] = end === -1 ? [undefined, items.at(-1)] : [items[end], items[end - 1]];
      n = end === -1 ? items.length : end;
      const start = this.#lineStart(first.start);
      const isOwnLine = this.#source.slice(start, first.start).trim() === "";
      if (isBlock(collection) && isOwnLine) this.#edit(start, this.#lineEnd(last?.end ?? 0), "");
      else if (next) this.#edit(first.start, next.start, "");
      else this.#edit(items[first.index - 1]?.end ?? first.start, last?.end ?? 0, "");
    }
  }

  #replace(node: Node, wanted: unknown, parent?: Collection): void {
    this.#loseAnchors(node, "anchor" in node ? node.anchor : undefined);
    if ("anchor" in node && node.anchor !== undefined) this.#anchors.set(node.anchor, wanted);
    let [start, end] = [startOf(node), endOf(node)];
    const before = this.#source.slice(start, end);
    let text = this.#textFor(node, before, wanted, parent);
    const isLines = isCollection(node) && isBlock(node);
    const line = this.#source.slice(0, start).trimEnd();
    // A value that needs no lines of its own moves behind the colon.
    if (isLines && !isFilled(wanted) && line.endsWith(":")) start = line.length;
    if (!/[\s[{,]/.test(this.#source[start - 1] ?? " ") && !text.startsWith("\n"))
      text = ` ${text}`;
    if (text.startsWith("\n")) start = this.#source.slice(0, start).trimEnd().length;
    this.#edit(start, end, before.endsWith("\n") && !text.endsWith("\n") ? `${text}\n` : text);
  }

  #textFor(node: Node, before: string, wanted: unknown, parent?: Collection): string {
    const style = this.#styleOf(parent, before);
    if (isScalar(node) && /^[|>]/.test(before) && typeof wanted === "string")
      return blockScalarText(wanted, node.type ?? "PLAIN", before) ?? JSON.stringify(wanted);
    if (!isFilled(wanted)) return scalarText(wanted, style, /^["']/.exec(before)?.[0]);
    const isInLines = isCollection(node) ? isBlock(node) : !("anchor" in node && node.anchor);
    if (style.isFlow || !isInLines) return flowText(wanted, style);
    if (isCollection(node) || !isMap(parent))
      return blockText(wanted, " ".repeat(this.#column(startOf(node))));
    return this.#linesBelow(wanted, parent);
  }

  /** Returns the lines of a collection below its key. */
  #linesBelow(value: unknown, map: Collection): string {
    const indent = " ".repeat(this.#column(startOf(map)) + STEP);
    return `\n${indent}${blockText(value, indent)}`;
  }

  #fieldText(key: string, value: unknown, map: Collection): string {
    const name = scalarText(key, this.#styleOf(map), undefined);
    return this.#isInLines(value, map)
      ? `${name}:${this.#linesBelow(value, map)}`
      : `${name}: ${this.#flow(value, map)}`;
  }

  #itemText(value: unknown, list: Collection): string {
    if (!isBlock(list)) return this.#flow(value, list);
    if (!this.#isInLines(value, list)) return `- ${this.#flow(value, list)}`;
    return `- ${blockText(value, " ".repeat(this.#column(startOf(list)) + STEP))}`;
  }

  /** Whether a new value is written in lines: unless another value of the collection is in brackets. */
  #isInLines(value: unknown, collection: Collection): boolean {
    return isFilled(value) && isBlock(collection) && !itemsOf(collection).some(inBrackets);
  }

  #flow(value: unknown, parent: Collection): string {
    const style = this.#styleOf(parent);
    return isFilled(value) ? flowText(value, style) : scalarText(value, style, undefined);
  }

  #styleOf(parent: Collection | undefined, before = ""): Style {
    const isFlow = parent !== undefined && !isBlock(parent);
    const example = isFlow ? parent : parent && itemsOf(parent).map(inBrackets).find(Boolean);
    const { range } = example ?? {};
    const bracket = OPEN.test(before)
      ? before
      : this.#source.slice(range?.[0] ?? 0, range?.[1] ?? 0);
    return { isJson: this.#isJson, isFlow, isPadded: !/^[[{]\S/.test(bracket) };
  }

  /** Returns what is between two items in brackets: `, `, or a comma and a new line. */
  #separator({ range }: Node, [first, second]: readonly Item[]): string {
    const start = first?.start ?? 0;
    const found = second
      ? this.#source.slice(first?.end, second.start)
      : `,${this.#source.slice((range?.[0] ?? start) + 1, start)}`;
    return /^,\s*$/.test(found) && (second || found.includes("\n")) ? found : ", ";
  }

  #loseAnchors(node: Node | undefined, kept?: string): void {
    if (node === undefined) return;
    visit(node, {
      Node: (_, inner) => {
        if ("anchor" in inner && inner.anchor !== undefined && inner.anchor !== kept)
          this.#anchors.delete(inner.anchor);
      },
    });
  }

  #edit(start: number, end: number, text: string): void {
    this.edits.push({ start, end, text });
  }

  #lineStart(position: number): number {
    return this.#source.lastIndexOf("\n", position - 1) + 1;
  }

  /** Returns the position after the line break of a line. */
  #lineEnd(position: number): number {
    if (this.#source[position - 1] === "\n") return position;
    const end = this.#source.indexOf("\n", position);
    return end === -1 ? this.#source.length : end + 1;
  }

  #column(position: number): number {
    return position - this.#lineStart(position);
  }
}

/** Matches the source of a collection in brackets that is not empty. */
const OPEN = /^[[{](?![\]}])/;

/** Returns the value of an item if it is a collection in brackets. */
const inBrackets = ({ value }: Item): Collection | undefined =>
  isCollection(value) && !isBlock(value) ? value : undefined;

type Fields = Readonly<Record<string, unknown>>;

const isList = (value: unknown): value is readonly unknown[] =>
  Array.isArray(value) && value.length > 0;

const isFilled = (value: unknown): boolean =>
  isList(value) || (isObject(value) && Object.keys(value).length > 0);

const haveSharedKey = (before: Fields, wanted: Fields): boolean =>
  Object.keys(wanted).some((key) => Object.hasOwn(before, key));
