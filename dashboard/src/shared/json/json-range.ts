import { ensureSyntaxTree, syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";

/** A part of a text, as offsets of characters. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** How long parsing may take, in milliseconds. A longer text has no marks beyond what was parsed. */
const PARSE_MS = 100;

type SyntaxNode = ReturnType<typeof syntaxTree>["topNode"];

const VALUES: ReadonlySet<string> = new Set([
  "True",
  "False",
  "Null",
  "Number",
  "String",
  "Object",
  "Array",
]);

/**
 * Returns the range of the value at a JSON pointer. If a part of the pointer does not exist, returns
 * the range of the last part that does.
 */
export function rangeOf(state: EditorState, pointer: string): Range {
  const root = valuesIn(treeOf(state).topNode)[0];
  if (!root) return { from: 0, to: state.doc.length };
  let node = root;
  for (const part of partsOf(pointer)) {
    const child = node.name === "Array" ? valuesIn(node)[Number(part)] : member(state, node, part);
    if (!child) break;
    node = child;
  }
  return { from: node.from, to: node.to };
}

/** Returns the range of the first syntax error; the last character if the parser finds none. */
export function syntaxErrorRange(state: EditorState): Range {
  const end = state.doc.length;
  const last = { from: Math.max(0, end - 1), to: end };
  let found: Range | undefined;
  treeOf(state).iterate({
    enter: ({ type, from, to }) => {
      if (type.isError) found ??= { from, to };
      return found === undefined;
    },
  });
  // An error of length 0 is a missing character. Mark the character at that place.
  if (!found) return last;
  return found.from < found.to || found.from >= end ? { ...found } : { ...found, to: found.to + 1 };
}

const treeOf = (state: EditorState) =>
  ensureSyntaxTree(state, state.doc.length, PARSE_MS) ?? syntaxTree(state);

const partsOf = (pointer: string): string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));

function valuesIn(node: SyntaxNode): SyntaxNode[] {
  const values: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (VALUES.has(child.name)) values.push(child);
  return values;
}

/** Returns the value of an object's property. The last one, if the property occurs twice. */
function member(state: EditorState, node: SyntaxNode, key: string): SyntaxNode | undefined {
  const quoted = (name: SyntaxNode | null) =>
    name ? state.sliceDoc(name.from, name.to) : undefined;
  const property = node
    .getChildren("Property")
    .findLast(({ firstChild }) => unquoted(quoted(firstChild)) === key);
  return property && valuesIn(property)[0];
}

function unquoted(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
