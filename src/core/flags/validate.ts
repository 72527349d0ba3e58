import { isSame } from "../audit/changed-fields.ts";
import type { FieldError } from "../errors/api-error.ts";
import { type CheckBudget, checkValues } from "../json-schema/check-values.ts";
import { jsonBytes } from "../lib/chunks.ts";
import { type JsonFault, jsonFault } from "../lib/json-fault.ts";
import type { FlagPrerequisite } from "./prerequisites.ts";
import { BOOLEAN_VARIANTS, type FlagValues, type ValueType, type Variant } from "./variants.ts";

/**
 * The maximum sizes of one value, of all values of a flag, and of a value schema, as JSON in bytes
 * of UTF-8 (docs/use/api.md, Limits).
 */
const MAX_VALUE_BYTES = 65_536;
const MAX_VALUES_BYTES = 262_144;
const MAX_SCHEMA_BYTES = 65_536;

/**
 * The maximum size of a flag's prerequisites as JSON, bytes. SDKs receive the prerequisites with every rule.
 */
const MAX_PREREQUISITE_BYTES = 4096;

/** Why a flag cannot get the key `.` or `..`. */
export const PATH_STEP = "must not be . or .., because a URL cannot contain them; use another key";

/** Whether a key is a step of a path, which the client of a URL such as `…/flags/..` removes. */
export const isPathStep = (key: string): boolean => key === "." || key === "..";

/**
 * Returns what is wrong with the values of a flag. `budget`: the budget of the request for checks by schemas.
 * `before`: the values that the flag has; a schema and variants that stay are not checked again.
 */
export function valueErrors(
  values: FlagValues,
  budget?: CheckBudget,
  before?: FlagValues,
): FieldError[] {
  const { valueType, variants, offVariant } = values;
  const isKept =
    before !== undefined &&
    isSame(before.valueSchema, values.valueSchema) &&
    isSame(before.variants, variants);
  const errors = isKept ? [] : variantErrors(valueType, variants);
  if (!isKept) errors.push(...schemaErrors(values, errors.length === 0, budget));
  const known = valueType === "boolean" ? BOOLEAN_VARIANTS : variants;
  if (offVariant !== null && !known.some(({ key }) => key === offVariant))
    errors.push({ field: "offVariant", message: "must be the key of a variant, or null" });
  return errors;
}

function variantErrors(valueType: ValueType, variants: readonly Variant[]): FieldError[] {
  const field = "variants";
  if (valueType === "boolean")
    return JSON.stringify(variants) === JSON.stringify(BOOLEAN_VARIANTS)
      ? []
      : [{ field, message: "of a boolean flag must be exactly on (true), then off (false)" }];
  if (variants.length === 0) return [{ field, message: "must have at least one variant" }];
  const errors = variants.flatMap(({ key, value }, n): FieldError[] => {
    const message = valueFault(valueType, value);
    return [
      ...(variants.findIndex((one) => one.key === key) < n
        ? [{ field: `variants.${n}.key`, message: "is the key of an earlier variant" }]
        : []),
      ...(message === undefined ? [] : [{ field: `variants.${n}.value`, message }]),
    ];
  });
  const bytes = variants.reduce((sum, { value }) => sum + jsonBytes(value), 0);
  return bytes <= MAX_VALUES_BYTES
    ? errors
    : [
        ...errors,
        {
          field,
          message: `must have values of at most ${MAX_VALUES_BYTES} bytes of JSON together`,
        },
      ];
}

/** Returns what is wrong with one value; undefined if nothing is. */
function valueFault(valueType: Exclude<ValueType, "boolean">, value: unknown): string | undefined {
  if (valueType === "string" && typeof value !== "string") return "must be a string";
  if (valueType === "number" && typeof value !== "number") return "must be a number";
  const fault = jsonFault(value);
  if (fault) return placed(fault);
  if (jsonBytes(value) > MAX_VALUE_BYTES)
    return `must have at most ${MAX_VALUE_BYTES} bytes of JSON`;
  return undefined;
}

/**
 * Returns the faults of the schema. If the schema and the values are sound, returns the faults of
 * the values that the schema rejects.
 */
function schemaErrors(
  { valueType, valueSchema, variants }: FlagValues,
  areSound: boolean,
  budget: CheckBudget | undefined,
): FieldError[] {
  const field = "valueSchema";
  if (valueSchema === null) return [];
  if (valueType === "boolean") return [{ field, message: "must be null for a boolean flag" }];
  if (jsonBytes(valueSchema) > MAX_SCHEMA_BYTES)
    return [{ field, message: `must have at most ${MAX_SCHEMA_BYTES} bytes of JSON` }];
  const fault = jsonFault(valueSchema);
  if (fault) return [{ field, message: placed(fault) }];
  const { schema, values } = checkValues(
    valueSchema,
    areSound ? variants.map(({ value }) => value) : [],
    budget,
  );
  return [
    ...schema.map((one) => ({ field, message: placed(one) })),
    ...Array.from(values, ([n, { at, message }]) => ({
      field: `variants.${n}.value`,
      message: `does not match valueSchema: ${placed({ at: at === "" ? "the value" : at, message })}`,
    })),
  ];
}

/** Returns the message of a fault, preceded by the place of the fault. */
const placed = ({ at, message }: JsonFault): string => (at === "" ? message : `${at} ${message}`);

/**
 * Returns the field errors of the prerequisites of the flag `key` that can be found without reading
 * other flags.
 */
export function prerequisiteErrors(
  key: string,
  prerequisites: readonly FlagPrerequisite[],
): FieldError[] {
  const errors = prerequisites.flatMap(({ flagKey }, n): FieldError[] => {
    const field = `prerequisites.${n}.flagKey`;
    if (flagKey === key) return [{ field, message: "must not be the flag itself" }];
    return prerequisites.findIndex((one) => one.flagKey === flagKey) < n
      ? [{ field, message: "is the flag of an earlier prerequisite" }]
      : [];
  });
  if (jsonBytes(prerequisites) > MAX_PREREQUISITE_BYTES)
    errors.push({
      field: "prerequisites",
      message: `must have at most ${MAX_PREREQUISITE_BYTES} bytes of JSON`,
    });
  return errors;
}
