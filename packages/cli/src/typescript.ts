import type { Flag } from "./types.ts";

type ValueType = Flag["valueType"];

const TYPES: Readonly<Record<ValueType, string>> = {
  boolean: "boolean",
  string: "string",
  number: "number",
  json: "JsonValue",
};

interface NamedFlag {
  readonly key: string;
  readonly name: string;
  readonly valueType: ValueType;
}

/**
 * Returns a TypeScript module with the type of all flags, for `createClient<Flags>()`. A flag with texts
 * is a `string`, and no union of its variants: the dashboard can add a variant after the build.
 */
export function typesOf(flags: readonly NamedFlag[]): string {
  const fields = flags.map(
    ({ key, name, valueType }) =>
      `  /** ${commentOf(name)} */\n  ${JSON.stringify(key)}: ${TYPES[valueType]};\n`,
  );
  const hasJson = flags.some(({ valueType }) => valueType === "json");
  const imports = hasJson ? 'import type { JsonValue } from "@feature-flags/sdk";\n\n' : "";
  const head = "// Written by flags types. Do not edit.\n";
  return `${head}${imports}export interface Flags {\n${fields.join("")}}\n`;
}

/** Returns a text for a comment of one line, which the text must not end. */
const commentOf = (name: string): string =>
  name.replaceAll("*/", "* /").replaceAll(/[\r\n\u2028\u2029]+/g, " ");
