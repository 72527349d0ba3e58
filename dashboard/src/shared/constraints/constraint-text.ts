import type { TFunction } from "i18next";
import type { Constraint } from "@feature-flags/evaluation/rule";
import type { Messages } from "../i18n/en/index.ts";
import type { formatsOf } from "../i18n/use-format.ts";
import { type OperatorChoice, operatorChoiceOf } from "./operator-choice.ts";

type Format = Pick<ReturnType<typeof formatsOf>, "either">;

/** A sentence contains at most this many values, so that it stays readable. */
const MAX_VALUES = 8;

/**
 * The translation keys of the operators. Dates, versions and IP addresses have some phrases of
 * their own, such as `newer than`.
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
 * Translates an operator, for example to `is not one of`. Returns an unknown operator unchanged.
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

/** Describes a constraint, for example as `country is one of DE, FR`. */
export function constraintText(t: TFunction, constraint: Constraint, format: Format): string {
  return `${constraint.field} ${conditionText(t, constraint, format)}`;
}

/**
 * Describes a constraint without its field, for example as `is one of DE, FR`. The field comes
 * first in all languages.
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
 * Returns the operator that fits the number of values: `is DE` for one, `is one of DE, FR` for
 * several. Users read `in` and `equals` alike.
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
 * Formats a value as it is stored, so that users can search for it. Dates are easier to read
 * without `T` and `Z`. Values that are empty or contain white space or a comma are in quotes.
 */
function valueText(t: TFunction, contextType: string, value: string): string {
  if (contextType === "date")
    return value.replace("T", " ").replace(/(?<=:\d\d)(?::00)?(?:\.0+)?Z$/, " UTC");
  return /[\s,]|^$/.test(value) ? t("constraints.quoted", { value }) : value;
}
