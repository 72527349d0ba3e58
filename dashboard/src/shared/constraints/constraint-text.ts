import type { Constraint } from "@feature-flags/evaluation/rule";
import type { Messages } from "../i18n/en/index.ts";
import type { Formats } from "../i18n/formats.ts";
import type { Translate } from "../i18n/translate.ts";
import { type OperatorChoice, operatorChoiceOf, type OperatorName } from "./operator-choice.ts";

type Format = Pick<Formats, "either">;

/**
 * The maximum number of values in a sentence about a constraint, so that the sentence stays
 * readable. If the constraint has only one more value, the sentence contains that value too.
 */
const MAX_VALUES = 8;

/**
 * The translation keys of the positive operators. By default, the key is the operator itself. Some
 * operators have other phrases for dates, versions or IP addresses, such as `newer than`.
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
 * Translates an operator: for example `in` to `is one of`, and the negation of `in` to `is not one
 * of`. Returns an unknown operator unchanged.
 */
export function operatorText(
  t: Translate,
  contextType: string,
  { base, isNegated }: OperatorChoice,
): string {
  if (!isKnown(base)) return base;
  const special: Readonly<Record<string, keyof Messages["constraints"]["is"]>> = PHRASES[base];
  const phrase = special[contextType] ?? base;
  return isNegated ? t(`constraints.isNot.${phrase}`) : t(`constraints.is.${phrase}`);
}

/**
 * Describes a constraint in the language of the page, for example as `country is one of DE, FR`. A
 * constraint that the user is still typing has no description.
 */
export function constraintText(t: Translate, constraint: Constraint, format: Format): string {
  if (!isComplete(constraint)) return t("constraints.incomplete");
  return `${constraint.field} ${conditionText(t, constraint, format)}`;
}

/** Whether the constraint has a value, if its operator needs one. */
const isComplete = (constraint: Constraint): boolean =>
  constraint.values.length > 0 || operatorChoiceOf(constraint).base === "exists";

/**
 * Describes a constraint without its field, for example as `is one of DE, FR`. The field comes
 * before this text in all languages.
 */
export function conditionText(t: Translate, constraint: Constraint, format: Format): string {
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
 * FR` for several values. `in` and `equals` mean the same to users. All other operators, and `in`
 * for IP addresses, stay the same.
 */
function phraseBase(base: OperatorName, contextType: string, count: number): OperatorName {
  if (base === "in" && contextType === "ip") return base;
  if (base !== "in" && base !== "equals") return base;
  return count > 1 ? "in" : "equals";
}

function valuesText(
  t: Translate,
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
 * Formats a value of a constraint. A date loses its `T` and `Z`, so that it is easier to read. All
 * other values are shown as stored, so that users can search for them. A value is quoted if it is
 * empty or contains white space or a comma.
 */
function valueText(t: Translate, contextType: string, value: string): string {
  if (contextType === "date")
    return value.replace("T", " ").replace(/(?<=:\d\d)(?::00)?(?:\.0+)?Z$/, " UTC");
  return /[\s,]|^$/.test(value) ? t("constraints.quoted", { value }) : value;
}
