import { isRounded } from "@feature-flags/file/rounded";
import { randomId } from "@mantine/hooks";
import type { Translate } from "../i18n/translate.ts";
import { formatJson, parseJson } from "../json/parse-json.ts";
import { syntaxErrorText } from "../json/syntax-error-text.ts";
import type { Row } from "../rows/use-rows.ts";
import type { ValueType, Variant } from "../api/types.ts";

/** The pattern that the API requires of variant keys. */
const VARIANT_KEY = /^[A-Za-z0-9._-]{1,64}$/;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

export interface VariantInput extends Row {
  readonly key: string;
  /** The value as text: the text itself, or a number or JSON as the user types it. */
  readonly text: string;
  readonly description: string;
  readonly isOff: boolean;
}

export const newVariantInput = (fields: Partial<VariantInput> = {}): VariantInput => ({
  id: randomId(),
  key: "",
  text: "",
  description: "",
  isOff: false,
  errors: {},
  ...fields,
});

interface FlagValues {
  readonly valueType: ValueType;
  readonly variants: readonly Variant[];
  readonly offVariant: string | null;
}

export const toInputs = ({ valueType, variants, offVariant }: FlagValues): VariantInput[] =>
  variants.map(({ key, value, description = "" }) =>
    newVariantInput({
      key,
      text: textOf(valueType, value),
      description,
      isOff: key === offVariant,
    }),
  );

/** Whether two lists have the same variants, whatever their rows and errors are. */
export const isSameInputs = (a: readonly VariantInput[], b: readonly VariantInput[]): boolean => {
  const contents = (inputs: readonly VariantInput[]) =>
    JSON.stringify(
      inputs.map(({ key, text, description, isOff }) => [key, text, description, isOff]),
    );
  return contents(a) === contents(b);
};

const isBlank = ({ key, text, description }: VariantInput): boolean =>
  [key, text, description].every((each) => each.trim() === "");

/** Returns the inputs without the rows that the user left empty. At least the first row remains. */
const withoutBlankRows = (inputs: readonly VariantInput[]): readonly VariantInput[] => {
  const filled = inputs.filter((input) => !isBlank(input));
  return filled.length === 0 ? inputs.slice(0, 1) : filled;
};

export const textOf = (type: ValueType, value: unknown): string =>
  type === "string" && typeof value === "string" ? value : formatJson(value);

/** Reads the value in a text. Undefined if the text is not a value of the type. */
export function readValue(type: ValueType, text: string): { readonly value: unknown } | undefined {
  if (type === "string") return { value: text };
  if (type === "number") {
    const isExact = NUMBER.test(text.trim()) && !isRounded(text.trim());
    return isExact ? { value: Number(text) } : undefined;
  }
  const parsed = parseJson(text);
  return parsed.error ? undefined : { value: parsed.value };
}

/** Returns the variants in the form of the API. The inputs must be valid. */
export const toVariants = (type: ValueType, inputs: readonly VariantInput[]): Variant[] =>
  inputs.map(({ key, text, description }) => ({
    key,
    value: readValue(type, text)?.value,
    ...(description.trim() !== "" && { description: description.trim() }),
  }));

/** Returns the errors that are known before the API checks. Leaves out empty rows. */
export function checkVariants(
  t: Translate,
  type: ValueType,
  rows: readonly VariantInput[],
): VariantInput[] {
  const inputs = withoutBlankRows(rows);
  const keyError = (key: string, index: number): string | undefined => {
    if (!VARIANT_KEY.test(key)) return t(key === "" ? "common.required" : "variants.keyRule");
    const isTaken = inputs.slice(0, index).some((other) => other.key === key);
    return isTaken ? t("variants.keyTaken") : undefined;
  };
  const valueError = (text: string): string | undefined => {
    if (readValue(type, text)) return undefined;
    if (text.trim() === "") return t("common.required");
    if (type === "number") return t("variants.numberRule");
    const { error } = parseJson(text);
    return error?.kind === "rounded" ? syntaxErrorText(t, error) : t("json.notJson");
  };
  const withErrors = (input: VariantInput, index: number): VariantInput => {
    const [key, value] = [keyError(input.key, index), valueError(input.text)];
    const errors = { ...(key !== undefined && { key }), ...(value !== undefined && { value }) };
    return { ...input, errors };
  };
  return inputs.map(withErrors);
}
