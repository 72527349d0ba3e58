import { nearest } from "@feature-flags/file/nearest";
import type { Flag } from "../types.ts";
import type { Reference } from "./scan.ts";

/** The rules of the check. Errors make the command fail; a stale flag is only reported. */
export const RULES = {
  "unknown-flag": { level: "error", text: "No flag of the project has this key" },
  "archived-flag": { level: "error", text: "The flag is archived, so checks return the default" },
  "wrong-type": { level: "error", text: "The call expects another type than the flag has" },
  "stale-flag": { level: "note", text: "The flag is stale, so code may drop it" },
} as const satisfies Record<string, { level: "error" | "note"; text: string }>;

export interface Finding extends Pick<Reference, "file" | "line" | "column" | "key"> {
  readonly rule: keyof typeof RULES;
  readonly message: string;
}

/** Compares the references in code with the flags of the project. */
export function check(references: readonly Reference[], flags: readonly Flag[]): Finding[] {
  const byKey = new Map(flags.map((flag) => [flag.key, flag]));
  return references.flatMap((reference) => {
    const { file, line, column, key } = reference;
    const found = problem(reference, byKey);
    return found === undefined
      ? []
      : [{ file, line, column, key, rule: found[0], message: found[1] }];
  });
}

function problem(
  { key, type, via }: Reference,
  flags: ReadonlyMap<string, Flag>,
): readonly [Finding["rule"], string] | undefined {
  const flag = flags.get(key);
  if (flag === undefined) {
    const name = nearest(key, [...flags.keys()]);
    const hint = name === undefined ? "" : `. Did you mean ${name}?`;
    return ["unknown-flag", `No flag has the key ${key}${hint}`];
  }
  if (flag.archived)
    // A text may have another meaning than the flag.
    return via === "text" ? undefined : ["archived-flag", `The flag ${key} is archived`];
  if (type !== undefined && type !== flag.valueType)
    return [
      "wrong-type",
      `The flag ${key} has ${flag.valueType} values, and the call expects ${type}`,
    ];
  if (flag.stale) return ["stale-flag", `The flag ${key} is stale`];
  return undefined;
}

export const isError = ({ rule }: Finding): boolean => RULES[rule].level === "error";
