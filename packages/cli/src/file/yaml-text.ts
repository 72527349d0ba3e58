import { Document, Scalar, stringify } from "yaml";

/** The most characters of a line of YAML. A longer text is folded. */
const LINE_WIDTH = 100;

/** Quotes texts that YAML 1.1 reads as something else, such as `on`. */
const READERS = { version: "1.2", compat: "yaml-1.1" } as const;

/** Returns a value as YAML. */
export const yamlOf = (value: unknown): string =>
  stringify(value, { lineWidth: LINE_WIDTH, ...READERS });

/** How a value is written in the place of another one. */
export interface Style {
  readonly isJson: boolean;
  /** Whether the value is inside of brackets. */
  readonly isFlow: boolean;
  /** Whether brackets have spaces inside, as in `[ a ]`. */
  readonly isPadded: boolean;
}

/** Never breaks a line. A quoted text has `\n` instead of a line break. */
const ONE_LINE = { lineWidth: 0, doubleQuotedMinMultiLineLength: Number.MAX_SAFE_INTEGER };

/** Returns a value in one line: collections in brackets. */
export const flowText = (value: unknown, { isJson, isPadded }: Style): string =>
  isJson
    ? JSON.stringify(value)
    : stringify(value, {
        ...READERS,
        ...ONE_LINE,
        blockQuote: false,
        collectionStyle: "flow",
        flowCollectionPadding: isPadded,
      }).replace(/\n$/, "");

/**
 * Returns a collection in lines, all of which begin with this indentation, except the first one. A
 * comment may follow, so no text is a block scalar (`|`).
 */
export const blockText = (value: unknown, indent: string): string =>
  stringify(value, { ...READERS, ...ONE_LINE, blockQuote: false })
    .replace(/\n$/, "")
    .replaceAll("\n", `\n${indent}`);

/** Returns a text, number, boolean or null in one line. `quote`: the quote of the scalar before, if any. */
export function scalarText(value: unknown, style: Style, quote: string | undefined): string {
  if (style.isJson || typeof value !== "string" || quote === '"') return JSON.stringify(value);
  // These characters need the escapes of a text in double quotes.
  if (/[^\P{C}]|[\u2028\u2029]/u.test(value)) return JSON.stringify(value);
  if (quote === "'") return `'${value.replaceAll("'", "''")}'`;
  // In a collection, because a text on its own may contain what ends a text in a collection.
  return style.isFlow
    ? flowText([value], { ...style, isPadded: false }).slice(1, -1)
    : stringify({ a: value }, { ...READERS, ...ONE_LINE, blockQuote: false })
        .slice("a: ".length)
        .replace(/\n$/, "");
}

/**
 * Returns a text as a block scalar (`|` or `>`) in the place of another one, whose source is given.
 * Undefined if that is not possible.
 */
export function blockScalarText(
  value: string,
  type: Scalar.Type,
  before: string,
): string | undefined {
  const [head = "", ...lines] = before.split("\n");
  const first = lines.find((line) => line.trim() !== "");
  if (first === undefined) return undefined;
  const scalar = new Scalar(value);
  scalar.type = type;
  const document = new Document({ a: scalar }, READERS);
  const text = document.toString({ ...READERS, lineWidth: LINE_WIDTH }).slice("a: ".length);
  const [indicator = "", ...content] = text.split("\n");
  // A digit counts the indentation from that of the parent. Such texts are rare, so they are quoted.
  if (!/^[|>][-+]?$/.test(indicator)) return undefined;
  const indent = /^ */.exec(first)?.[0] ?? "";
  const comment = head.replace(/^[|>][-+\d]*/, "");
  return [indicator + comment, ...content.map((line) => line.replace(/^ {2}/, indent))].join("\n");
}
