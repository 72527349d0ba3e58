import type { TFunction } from "i18next";
import type { Constraint } from "@feature-flags/evaluation/rule";
import type { Messages } from "../i18n/en/index.ts";
import type { formatsOf } from "../i18n/use-format.ts";
import { type OperatorChoice, operatorChoiceOf } from "./operator-choice.ts";

type Format = Pick<ReturnType<typeof formatsOf>, "either">;

/** More than these would bury what is said. */
const MAX_VALUES = 8;

/** How an operator is called; some types have words of their own, such as `newer than`. */
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

/** Such as `is not one of`; an unknown operator by its own name. */
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

/** A constraint in words, such as `country is one of DE, FR`. */
export function constraintText(t: TFunction, constraint: Constraint, format: Format): string {
  return `${constraint.field} ${conditionText(t, constraint, format)}`;
}

/** The same without the field, which both languages put first. */
export function conditionText(t: TFunction, constraint: Constraint, format: Format): string {
  const { operator, contextType, caseInsensitive } = constraint;
  const values = constraint.values.map((value) => valueWords(t, contextType, value));
  const current = operatorChoiceOf(constraint);
  if (!isKnown(current.base))
    return t("constraints.notUnderstood", { operator, values: values.join(", ") });
  if (current.base === "exists") return operatorText(t, contextType, current);
  const choice = { ...current, base: numbered(current.base, contextType, values.length) };
  const words = `${operatorText(t, contextType, choice)} ${listed(t, choice, values, format)}`;
  return caseInsensitive ? `${words} (${t("constraints.ignoringCase")})` : words;
}

/** `is DE`, but `is one of DE, FR`, whichever of the two operators it is. */
function numbered(base: string, contextType: string, count: number): string {
  if (base === "in" && contextType === "ip") return base;
  if (base !== "in" && base !== "equals") return base;
  return count > 1 ? "in" : "equals";
}

function listed(
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

/** As it is written, so that it can be found again; in quotes where its ends would be lost. */
function valueWords(t: TFunction, contextType: string, value: string): string {
  if (contextType === "date")
    return value.replace("T", " ").replace(/(?<=:\d\d)(?::00)?(?:\.0+)?Z$/, " UTC");
  return /[\s,]|^$/.test(value) ? t("constraints.quoted", { value }) : value;
}
