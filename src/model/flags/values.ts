import type { FlagPrerequisite } from "../../core/flags/prerequisites.ts";
import {
  BOOLEAN_VARIANTS,
  defaultOffVariant,
  type FlagClients,
  type FlagValues,
  type ValueType,
  type Variant,
} from "../../core/flags/variants.ts";
import type { ChangeOf } from "../../core/lib/input.ts";

type ValuesChange = ChangeOf<Omit<FlagValues, "valueType">>;

/** Returns the value fields of a flag: its type, variants, off variant and schema. */
export const valuesOf = ({
  valueType,
  variants,
  offVariant,
  valueSchema,
}: FlagValues): FlagValues => ({ valueType, variants, offVariant, valueSchema });

export function newValues({
  valueType = "boolean",
  variants = valueType === "boolean" ? BOOLEAN_VARIANTS : [],
  offVariant = defaultOffVariant(valueType),
  valueSchema = null,
}: ValuesChange & { readonly valueType?: ValueType | undefined }): FlagValues {
  return { valueType, variants, offVariant, valueSchema };
}

export function changedValues(
  flag: FlagValues,
  {
    variants = flag.variants,
    offVariant = flag.offVariant,
    valueSchema = flag.valueSchema,
  }: ValuesChange,
): FlagValues {
  return { valueType: flag.valueType, variants, offVariant, valueSchema };
}

/** Returns the values as the table `flags` stores them. */
export const storedValues = ({ valueType, variants, offVariant, valueSchema }: FlagValues) => ({
  valueType,
  variants: valueType === "boolean" ? null : variants,
  offVariant,
  valueSchema,
});

interface RuleContent extends Omit<FlagValues, "valueSchema"> {
  readonly name: string;
  readonly prerequisites: readonly FlagPrerequisite[];
  readonly clients: FlagClients;
}

/**
 * Returns the fields of a flag that are part of its rule. SDKs get neither the schema of the values
 * nor the descriptions.
 */
export const ruleContent = ({
  name,
  variants,
  offVariant,
  prerequisites,
  clients,
}: RuleContent) => ({
  name,
  variants: variants.map(({ key, value }: Variant) => ({ key, value })),
  offVariant,
  prerequisites,
  clients,
});
