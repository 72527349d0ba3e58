export type Language = "javascript" | "python" | "go" | "java";

const LANGUAGES: Readonly<Record<Language, readonly string[]>> = {
  javascript: ["ts", "tsx", "mts", "cts", "js", "jsx", "mjs", "cjs", "vue", "svelte"],
  python: ["py", "pyi"],
  go: ["go"],
  java: ["java", "kt", "kts"],
};

const BY_EXTENSION = new Map(
  Object.entries(LANGUAGES).flatMap(([language, extensions]) =>
    extensions.map((extension) => [extension, language as Language] as const),
  ),
);

/** Returns the language of a file by its name; undefined for a file that is no source. */
export const languageOf = (file: string): Language | undefined =>
  BY_EXTENSION.get(file.slice(file.lastIndexOf(".") + 1).toLowerCase());

/** A text in the source whose value is known: it has no parts that are computed. */
interface Literal {
  readonly value: string;
  /** The offset after the closing quote. */
  readonly end: number;
}

/** A source, read so far that calls can be found in it without finding texts and comments. */
export interface Source {
  /** The source with spaces instead of comments and of the contents of texts. Same offsets. */
  readonly code: string;
  /** The source with spaces instead of comments only. Same offsets. */
  readonly uncommented: string;
  /** The texts by the offset at which they begin, with their prefix, such as `r"`. */
  readonly literals: ReadonlyMap<number, Literal>;
  /** The offsets of comments that contain `flags-ignore`. */
  readonly ignored: readonly number[];
}

/** How a language writes comments and texts. */
interface Syntax {
  readonly lineComment: string;
  readonly hasBlockComments: boolean;
  /** The quotes of texts that end at the end of their line at the latest. */
  readonly quotes: string;
  /** The quotes of texts with several lines, the longest first. */
  readonly longQuotes: readonly string[];
  /** Whether backticks enclose a template with `${}` (JavaScript). */
  readonly hasTemplates: boolean;
  /** The quotes in which a backslash is no escape. */
  readonly raw: string;
}

const C_LIKE = { lineComment: "//", hasBlockComments: true, hasTemplates: false, raw: "" };

const SYNTAX: Readonly<Record<Language, Syntax>> = {
  javascript: { ...C_LIKE, quotes: `"'`, longQuotes: [], hasTemplates: true },
  python: {
    lineComment: "#",
    hasBlockComments: false,
    quotes: `"'`,
    longQuotes: ['"""', "'''"],
    hasTemplates: false,
    raw: "",
  },
  go: { ...C_LIKE, quotes: `"'`, longQuotes: ["`"], raw: "`" },
  java: { ...C_LIKE, quotes: `"'`, longQuotes: ['"""'] },
};

/** Matches the prefix of a Python text at the end of the code before its quote. */
const PREFIX = /(?<![\w])(?:[rRuU]|[fFbBtT][rR]?|[rR][fFbBtT])$/;

/** Matches code after which a slash begins a regular expression, and is no division. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{;+*%~^-]|\b(?:return|typeof|case|in|of|do|else))\s*$/;
const REGEX = /\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+\/[a-z]*/y;

/** Matches a template up to its end, or up to the next `${}` in it. */
const TEMPLATE_PART = /(?:\\[\s\S]|\$(?!\{)|[^\\`$]+)*/y;

const IGNORE = "flags-ignore";

/** Reads a source. A source with errors gives what can be read of it. */
export function readSource(text: string, language: Language): Source {
  return new Reader(text, language).read();
}

class Reader {
  readonly #text: string;
  readonly #language: Language;
  readonly #syntax: Syntax;
  readonly #code: string[] = [];
  readonly #uncommented: string[] = [];
  readonly #literals = new Map<number, Literal>();
  readonly #ignored: number[] = [];
  /** For each template that is open: how many braces are open in its `${}`. */
  readonly #templates: number[] = [];
  #at = 0;

  constructor(text: string, language: Language) {
    this.#text = text;
    this.#language = language;
    this.#syntax = SYNTAX[language];
  }

  read(): Source {
    while (this.#at < this.#text.length) this.#step();
    return {
      code: this.#code.join(""),
      uncommented: this.#uncommented.join(""),
      literals: this.#literals,
      ignored: this.#ignored,
    };
  }

  /** Reads a comment, a text, or one character of code. */
  #step(): void {
    const text = this.#text;
    const { lineComment, hasBlockComments, quotes, longQuotes, hasTemplates } = this.#syntax;
    if (text.startsWith(lineComment, this.#at)) return this.#comment("\n", 0);
    if (hasBlockComments && text.startsWith("/*", this.#at)) return this.#comment("*/", 2);
    const long = longQuotes.find((quote) => text.startsWith(quote, this.#at));
    if (long !== undefined) return this.#string(long, true);
    const character = text[this.#at] ?? "";
    if (quotes.includes(character)) return this.#string(character, false);
    if (!hasTemplates) return this.#keep(1);
    if (character === "`") return this.#template(this.#at);
    if (character === "/" && this.#isBeforeRegex()) return this.#regex();
    const open = this.#templates.length - 1;
    if (character === "{" && open >= 0) this.#templates[open] = (this.#templates[open] ?? 0) + 1;
    if (character === "}" && open >= 0) {
      if (this.#templates[open] === 0) {
        this.#templates.pop();
        this.#keep(1);
        return this.#template(undefined);
      }
      this.#templates[open] = (this.#templates[open] ?? 0) - 1;
    }
    return this.#keep(1);
  }

  #keep(length: number): void {
    const part = this.#text.slice(this.#at, this.#at + length);
    this.#code.push(part);
    this.#uncommented.push(part);
    this.#at += length;
  }

  /** Replaces the characters up to an offset with spaces. Keeps the ends of lines. */
  #blank(end: number, isComment: boolean): void {
    const part = this.#text.slice(this.#at, end);
    const blank = part.replaceAll(/[^\n]/g, " ");
    this.#code.push(blank);
    this.#uncommented.push(isComment ? blank : part);
    this.#at = end;
  }

  #comment(closing: string, length: number): void {
    const found = this.#text.indexOf(closing, this.#at + 2);
    const end = found === -1 ? this.#text.length : found + length;
    if (this.#text.slice(this.#at, end).includes(IGNORE)) this.#ignored.push(this.#at);
    this.#blank(end, true);
  }

  #string(quote: string, isLong: boolean): void {
    const prefix =
      this.#language === "python" ? (PREFIX.exec(this.#code.slice(-3).join(""))?.[0] ?? "") : "";
    const isRaw = this.#syntax.raw.includes(quote) || /r/i.test(prefix);
    const began = this.#at - prefix.length;
    const from = this.#at + quote.length;
    const end = this.#endOf(quote, from, { isLong, isRaw });
    const content = this.#text.slice(from, end);
    const isComputed = /[fbt]/i.test(prefix);
    const isClosed = this.#text.startsWith(quote, end);
    this.#keep(quote.length);
    // Without a second quote on its line, the quote is an apostrophe in the text of a page.
    if (isClosed || isLong) this.#blank(end, false);
    if (!isClosed) return;
    this.#keep(quote.length);
    const value = isRaw ? content : unescaped(content);
    if (!isComputed) this.#literals.set(began, { value, end: this.#at });
  }

  /** Returns the offset of the closing quote, or of the end of the line or the source. */
  #endOf(
    quote: string,
    from: number,
    { isLong, isRaw }: { readonly isLong: boolean; readonly isRaw: boolean },
  ): number {
    for (let at = from; at < this.#text.length; at++) {
      if (this.#text.startsWith(quote, at)) return at;
      if (!isLong && this.#text[at] === "\n") return at;
      // A backslash does not end a raw text in Python either, so the quote after it is skipped.
      if (this.#text[at] === "\\" && !(isRaw && quote === "`")) at++;
    }
    return this.#text.length;
  }

  /** Reads a template from its beginning, or from the end of a `${}` of it (undefined). */
  #template(began: number | undefined): void {
    if (began !== undefined) this.#keep(1);
    TEMPLATE_PART.lastIndex = this.#at;
    const content = TEMPLATE_PART.exec(this.#text)?.[0] ?? "";
    this.#blank(this.#at + content.length, false);
    const isOver = this.#text[this.#at] === "`";
    this.#keep(isOver ? 1 : 2);
    if (!isOver) this.#templates.push(0);
    else if (began !== undefined)
      this.#literals.set(began, { value: unescaped(content), end: this.#at });
  }

  #isBeforeRegex(): boolean {
    return BEFORE_REGEX.test(this.#code.slice(-20).join("").slice(-100));
  }

  #regex(): void {
    REGEX.lastIndex = this.#at;
    const found = REGEX.exec(this.#text);
    if (found === null) this.#keep(1);
    else this.#blank(this.#at + found[0].length, false);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", "\n": "" };

/** Replaces the escapes that the languages have in common. */
const unescaped = (content: string): string =>
  content.replaceAll(/\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g, (_, u, x, one) => {
    const hex: string | undefined = u ?? x;
    return hex === undefined
      ? (ESCAPES[one] ?? one)
      : String.fromCharCode(Number.parseInt(hex, 16));
  });
