import { stringify } from "yaml";

/** Chooses a number from 0 to below `count`. */
export type Choose = (count: number) => number;

/** Writes a value as YAML in a form that is chosen for each part: brackets or lines, quotes, comments. */
export function arbitraryYaml(value: unknown, choose: Choose): string {
  const text = new Writer(choose).block(value, 0).replace(/^\n/, "");
  const lines = choose(4) === 0 ? text.replaceAll("\n", "\r\n") : text;
  return choose(4) === 0 ? lines.replace(/\r?\n$/, "") : lines;
}

const isFilled = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

class Writer {
  readonly #choose: Choose;
  #anchors = 0;
  /** The names of the anchors before this place, by the JSON of their values. */
  readonly #known = new Map<string, string>();

  constructor(choose: Choose) {
    this.#choose = choose;
  }

  /** Returns what follows a dash or a colon, up to the end of the line or of further lines. */
  block(value: unknown, indent: number): string {
    const alias = this.#aliasOf(value);
    if (alias !== undefined) return ` ${alias}${this.#lineEnd()}`;
    const anchor = this.#anchor(value, indent);
    if (!isFilled(value) || (indent > 0 && this.#choose(3) === 0)) {
      if (
        typeof value === "string" &&
        /^[a-z]+(?:\n[a-z]+)*\n?$/.test(value) &&
        this.#choose(3) === 0
      )
        return `${anchor} ${this.#blockScalar(value, indent)}`;
      return `${anchor} ${this.#unnamed(value, indent)}${this.#lineEnd()}`;
    }
    const pad = " ".repeat(indent);
    const step = indent + 1 + this.#choose(4);
    const items = Array.isArray(value)
      ? value.map((item: unknown) => {
          const isCompact = isFilled(item) && this.#choose(2) === 0;
          const text = isCompact ? this.#compact(item, indent + 2) : this.block(item, step);
          return `${this.#remark(pad)}${pad}-${text}`;
        })
      : Object.entries(value).map(
          ([key, part]) => `${this.#remark(pad)}${pad}${this.#key(key)}:${this.block(part, step)}`,
        );
    return `${anchor}${this.#lineEnd()}${items.join("")}`;
  }

  /** Returns a collection whose first item is on the line of the dash. */
  #compact(value: object, indent: number): string {
    const text = this.block(value, indent);
    return text.replace(/^\n {2,}/, " ");
  }

  #flow(value: unknown, indent: number): string {
    const alias = this.#aliasOf(value);
    return alias === undefined ? this.#unnamed(value, indent) : `${alias} `;
  }

  /** Returns a value in brackets, without an alias for the value itself. */
  #unnamed(value: unknown, indent: number): string {
    if (!isFilled(value)) return this.#scalar(value, true);
    const wide = `\n${" ".repeat(indent + 2)}`;
    const space = ["", " ", wide, ` # note${wide}`][this.#choose(4)] ?? "";
    const comma = [", ", ",", `,${wide}`][this.#choose(3)] ?? ", ";
    const end = this.#choose(4) === 0 ? `,${space}` : space;
    if (Array.isArray(value))
      return `[${space}${value.map((item) => this.#flow(item, indent)).join(comma)}${end}]`;
    const fields = Object.entries(value).map(
      ([key, part]) => `${this.#key(key)}: ${this.#flow(part, indent)}`,
    );
    return `{${space}${fields.join(comma)}${end}}`;
  }

  #scalar(value: unknown, isFlow: boolean): string {
    if (typeof value !== "string") return JSON.stringify(value);
    if (this.#choose(3) === 0) return JSON.stringify(value);
    if (this.#choose(2) === 0 && /^[\x20-\x7E]*$/.test(value))
      return `'${value.replaceAll("'", "''")}'`;
    const plain = stringify(isFlow ? [value] : { a: value }, {
      collectionStyle: isFlow ? "flow" : "block",
      flowCollectionPadding: false,
      lineWidth: 0,
    }).replace(/\n$/, "");
    return /\n/.test(plain) ? JSON.stringify(value) : isFlow ? plain.slice(1, -1) : plain.slice(3);
  }

  #blockScalar(value: string, indent: number): string {
    const pad = " ".repeat(indent + this.#choose(2));
    const chomp = value.endsWith("\n") ? "" : "-";
    const lines = value.replace(/\n$/, "").split("\n");
    return `|${chomp}${this.#lineEnd()}${lines.map((line) => `${pad}${line}\n`).join("")}`;
  }

  #key(key: string): string {
    return this.#choose(3) === 0 ? JSON.stringify(key) : this.#scalar(key, true);
  }

  #anchor(value: unknown, indent: number): string {
    if (indent === 0 || this.#choose(6) > 0) return "";
    this.#anchors += 1;
    this.#known.set(JSON.stringify(value), `a${this.#anchors}`);
    return ` &a${this.#anchors}`;
  }

  #aliasOf(value: unknown): string | undefined {
    const name = this.#known.get(JSON.stringify(value));
    return name !== undefined && this.#choose(2) === 0 ? `*${name}` : undefined;
  }

  #lineEnd(): string {
    return `${["", "", "  ", " # why, and more"][this.#choose(4)] ?? ""}\n`;
  }

  #remark(pad: string): string {
    return ["", "", "\n", `${pad}# about this\n`][this.#choose(4)] ?? "";
  }
}
