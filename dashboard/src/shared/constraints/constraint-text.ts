import type { TFunction } from "i18next";
import type { Constraint } from "@feature-flags/evaluation/rule";
import type { Messages } from "../i18n/en/index.ts";
import type { formatsOf } from "../i18n/use-format.ts";
import { type OperatorChoice, operatorChoiceOf } from "./operator-choice.ts";

type Format = Pick<ReturnType<typeof formatsOf>, "either">;

/**
 * The number of values that a sentence about a constraint contains, so that it stays readable. If
 * the constraint has only one more value, the sentence contains that value too.
 */
const MAX_VALUES = 8;

/**
 * The translation keys of the positive operators. An empty object means that the key is the
 * operator itself. Dates, versions and IP addresses have some phrases of their own, such as `newer
 * than`.
 */
const PHRASES = {
  equals: {},
  in: { ip: "inIp" },
  contains: {},
  startsWith: {},
  endsWith: {},
  matches: {},
  exists: {},
  gt: { date: "gtDate", semver: "gtSemver" },
  gte: { date: "gteDate", semver: "gteSemver" },
  lt: { date: "ltDate", semver: "ltSemver" },
  lte: { date: "lteDate", semver: "lteSemver" },
} as const satisfies Record<string, Readonly<Record<string, keyof Messages["constraints"]["is"]>>>;

const isKnown = (base: string): base is keyof typeof PHRASES => Object.hasOwn(PHRASES, base);

/**
 * Translates an operator, such as `in` and its negation to `is one of` and `is not one of`. Returns
 * an unknown operator unchanged.
 */
export function operatorText(
  t: TFunction,
  contextType: string,
  { base, isNegated }: OperatorChoice,
): string {
  if (!isKnown(base)) return base;
  const special: Readonly<Record<string, keyof Messages["constraints"]["is"]>> = PHRASES[base];
  const phrase = special[contextType] ?? base;
  return isNegated ? t(`constraints.isNot.${phrase}`) : t(`constraints.is.${phrase}`);
}

/**
 * Describes a constraint in the language of the page, for example as `country is one of DE, FR`.
 */
export function constraintText(t: TFunction, constraint: Constraint, format: Format): string {
  return `${constraint.field} ${conditionText(t, constraint, format)}`;
}

/**
 * Describes a constraint without its field, for example as `is one of DE, FR`. The field comes
 * before this text in all languages.
 */
export function conditionText(t: TFunction, constraint: Constraint, format: Format): string {
  const { operator, contextType, caseInsensitive } = constraint;
  const values = constraint.values.map((value) => valueText(t, contextType, value));
  const current = operatorChoiceOf(constraint);
  if (!isKnown(current.base))
    return t("constraints.notUnderstood", { operator, values: values.join(", ") });
  if (current.base === "exists") return operatorText(t, contextType, current);
  const choice = { ...current, base: phraseBase(current.base, contextType, values.length) };
  const text = `${operatorText(t, contextType, choice)} ${valuesText(t, choice, values, format)}`;
  return caseInsensitive ? `${text} (${t("constraints.ignoringCase")})` : text;
}

/**
 * Returns the operator whose text fits the number of values: `is DE` for one value, `is one of DE,
 * FR` for several, because `in` and `equals` mean the same to users. `in` for IP addresses and all
 * other operators stay the same.
 */
function phraseBase(base: string, contextType: string, count: number): string {
  if (base === "in" && contextType === "ip") return base;
  if (base !== "in" && base !== "equals") return base;
  return count > 1 ? "in" : "equals";
}

function valuesText(
  t: TFunction,
  { base }: OperatorChoice,
  values: readonly string[],
  { either }: Format,
): string {
  const shown = values.length > MAX_VALUES + 1 ? values.slice(0, MAX_VALUES) : values;
  const count = values.length - shown.length;
  if (values.length === 0) return "…";
  if (base !== "in")
    return either(count > 0 ? [...shown, t("constraints.more", { count })] : shown);
  return shown.join(", ") + (count > 0 ? ` ${t("constraints.andMore", { count })}` : "");
}

/**
 * Formats a value of a constraint. Dates are easier to read without `T` and `Z`. All other values
 * stay as they are stored, so that users can search for them; in quotes if empty or with white
 * space or a comma.
 */
function valueText(t: TFunction, contextType: string, value: string): string {
  if (contextType === "date")
    return value.replace("T", " ").replace(/(?<=:\d\d)(?::00)?(?:\.0+)?Z$/, " UTC");
  return /[\s,]|^$/.test(value) ? t("constraints.quoted", { value }) : value;
}
