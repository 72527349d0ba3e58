import type { FileFlag, FileStrategy } from "@feature-flags/file/file";
import { isObject, isSame } from "@feature-flags/file/json";
import { VARIANT_KEY } from "../limits.ts";
import { type Changes, Refusal } from "../report.ts";
import { strategyWith } from "../rules.ts";
import { FLAG, type FlagdDocument, type FlagdFlag } from "./document.ts";
import { withEvaluators } from "./logic.ts";
import { assertKnown, targetingOf } from "./targeting.ts";

/** A flag in one environment. */
export interface FlagdOccurrence {
  readonly environment: string;
  readonly document: FlagdDocument;
  /** What `FLAG` reads. */
  readonly flag: unknown;
}

/**
 * Converts a flag with its strategies in all environments. There is no off variant, because a flag that
 * is disabled in flagd gives the default in the code. Throws: Refusal.
 */
export function flagOf(
  key: string,
  occurrences: readonly FlagdOccurrence[],
  changes: Changes,
): FileFlag {
  const read = occurrences.map(({ environment, document, flag }) => {
    changes.environment = environment;
    return { environment, document, flag: FLAG(flag, "") };
  });
  changes.environment = undefined;
  const { fields, keys } = variantsOf(read.map(({ flag }) => flag));
  const environments = read.map(({ environment, document, flag }): [string, FileStrategy] => {
    changes.environment = environment;
    const { $evaluators } = document;
    const defaultVariant = flag.defaultVariant ?? undefined;
    const place = { keyOf: (one: string) => assertKnown(one, keys), defaultVariant, changes };
    const expression = withEvaluators(flag.targeting ?? null, $evaluators);
    const isEmpty = isObject(expression) && Object.keys(expression).length === 0;
    const { rules, own } = targetingOf(isEmpty ? null : expression, place);
    return [environment, strategyWith(flag.state !== "DISABLED", rules, own)];
  });
  const isBoolean = fields.valueType === undefined;
  return {
    name: key,
    flagType: "RELEASE",
    ...fields,
    ...(isBoolean && { offVariant: null }),
    environments: Object.fromEntries(environments),
  };
}

interface Variants {
  readonly fields: Pick<FileFlag, "valueType" | "variants">;
  /** The keys here, by the names of the variants. */
  readonly keys: ReadonlyMap<string, string>;
}

/** Returns the variants of a flag in all environments. A boolean flag here has `on` and `off`. */
function variantsOf(flags: readonly FlagdFlag[]): Variants {
  const values = new Map<string, unknown>();
  for (const [variant, value] of flags.flatMap(({ variants }) => Object.entries(variants ?? {}))) {
    if (values.has(variant) && !isSame(values.get(variant), value))
      throw new Refusal("variantValues", { variant });
    values.set(variant, value);
  }
  const types = new Set(Array.from(values.values(), (value) => typeof value));
  const [type] = types;
  if (types.size !== 1) throw new Refusal("valueTypes");
  if (type === "boolean")
    return {
      fields: {},
      keys: new Map(Array.from(values, ([name, value]) => [name, value === true ? "on" : "off"])),
    };
  const invalid = [...values.keys()].find((variant) => !VARIANT_KEY.test(variant));
  if (invalid !== undefined) throw new Refusal("variantKey", { variant: invalid });
  return {
    fields: {
      valueType: type === "string" || type === "number" ? type : "json",
      variants: Array.from(values, ([key, value]) => ({ key, value })),
    },
    keys: new Map(Array.from(values.keys(), (name) => [name, name])),
  };
}
