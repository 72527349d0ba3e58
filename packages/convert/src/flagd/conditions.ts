import { parseVersion } from "@feature-flags/evaluation/parse";
import type { FileConstraint } from "@feature-flags/file/file";
import type { Condition } from "../condition.ts";
import { checked, isOtherType } from "../constraint.ts";
import type { Changes } from "../report.ts";
import { operationOf, unsupported } from "./logic.ts";

/** The time of the evaluation in seconds, which flagd adds to each context. */
const TIMESTAMP = "$flagd.timestamp";

type Comparison = "<" | "<=" | ">" | ">=";

const ORDER: Readonly<Record<Comparison, string>> = {
  "<": "lt",
  "<=": "lte",
  ">": "gt",
  ">=": "gte",
};

const MIRRORED: Readonly<Record<Comparison, Comparison>> = {
  "<": ">",
  "<=": ">=",
  ">": "<",
  ">=": "<=",
};

/** What flagd computes for a comparison with a field that is missing, which counts as 0. */
const ZERO: Readonly<Record<Comparison, (limit: number) => boolean>> = {
  "<": (limit) => 0 < limit,
  "<=": (limit) => 0 <= limit,
  ">": (limit) => 0 > limit,
  ">=": (limit) => 0 >= limit,
};

/** How many arguments an operator has, if not two. */
const ARGUMENTS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  and: [1, Infinity],
  or: [1, Infinity],
  "!": [1, 1],
  "!!": [1, 1],
  var: [1, 2],
  "<": [2, 3],
  "<=": [2, 3],
  ">": [2, 3],
  ">=": [2, 3],
  sem_ver: [3, 3],
};

const TEXT: Readonly<Record<string, string>> = { starts_with: "startsWith", ends_with: "endsWith" };

/** Returns what a condition of JsonLogic means. Throws: Refusal for one that is no list of constraints. */
export function conditionOf(expression: unknown, changes: Changes): Condition {
  const operation = operationOf(expression);
  if (!operation) {
    if (typeof expression === "boolean" || expression === null) return expression === true;
    throw unsupported(JSON.stringify(expression));
  }
  const { operator, args, isList } = operation;
  const [least, most] = ARGUMENTS[operator] ?? [2, 2];
  if (args.length < least || args.length > most || (!isList && most > 2 && operator !== "var"))
    throw unsupported(operator);
  switch (operator) {
    case "and":
      return { all: args.map((one) => conditionOf(one, changes)) };
    case "or":
      return { any: args.map((one) => conditionOf(one, changes)) };
    case "!":
      return { not: conditionOf(args[0], changes) };
    case "!!":
      return conditionOf(args[0], changes);
    case "==":
    case "===":
      return equality(operator, args, changes);
    case "!=":
    case "!==":
      return { not: equality(operator, args, changes) };
    case "<":
    case "<=":
    case ">":
    case ">=":
      return ordered(operator, args, changes);
    case "in":
      return membership(args, changes);
    case "starts_with":
    case "ends_with":
      return textual(TEXT[operator] ?? "", args, changes);
    case "sem_ver":
      return versions(args, changes);
    case "var":
      return truthiness(expression, changes);
    default:
      throw unsupported(operator);
  }
}

/** Returns the field that an expression reads; undefined for any other expression. */
export function fieldOf(expression: unknown, changes: Changes): string | undefined {
  const operation = operationOf(expression);
  if (operation?.operator !== "var") return undefined;
  const [name, fallback = null] = operation.args;
  if (typeof name !== "string" || name === "" || fallback !== null) throw unsupported("var");
  if (name.startsWith("$flagd.") && name !== TIMESTAMP) throw unsupported(name);
  if (name.includes(".") && name !== TIMESTAMP) changes.add("nestedField", { field: name });
  return name;
}

/** Returns the field and the plain value of a comparison, whichever comes first. */
function operands([one, other]: readonly unknown[], changes: Changes) {
  const field = fieldOf(one, changes);
  if (field !== undefined) return { field, value: other, isMirrored: false };
  return { field: fieldOf(other, changes), value: one, isMirrored: true };
}

function typed(
  operator: string,
  { field, values }: { field: string; values: readonly (string | number | boolean)[] },
  changes: Changes,
): Condition {
  if (values.some(isOtherType)) changes.add("otherTypes", { field });
  const type = typeof values[0];
  const constraint: FileConstraint = {
    field,
    operator,
    values: values.map(String),
    ...(type !== "string" && { contextType: type }),
  };
  return { constraint: checked(constraint) };
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean";

function equality(operator: string, args: readonly unknown[], changes: Changes): Condition {
  const { field, value, isMirrored } = operands(args, changes);
  if (field === undefined || field === TIMESTAMP) throw unsupported("==");
  // A missing field is null. For `==`, it is equal to 0 and false if it is the first operand.
  const isMissing: Condition = { not: { constraint: { field, operator: "exists" } } };
  const isLoose = operator.length === 2;
  if (value === null && isLoose) changes.add("otherTypes", { field });
  if (value === null) return isMissing;
  if (!isScalar(value)) throw unsupported("==");
  const condition = typed("in", { field, values: [value] }, changes);
  const isZero = isLoose && !isMirrored && (value === 0 || value === false);
  return isZero ? { any: [condition, isMissing] } : condition;
}

/** `{"<": [1, field, 5]}` means that the field is between the two. */
function ordered(operator: Comparison, args: readonly unknown[], changes: Changes): Condition {
  if (args.length === 3)
    return {
      all: [
        ordered(operator, args.slice(0, 2), changes),
        ordered(operator, args.slice(1), changes),
      ],
    };
  const { field, value, isMirrored } = operands(args, changes);
  const limit = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (field === undefined || typeof limit !== "number" || !Number.isFinite(limit))
    throw unsupported(operator);
  const order = isMirrored ? MIRRORED[operator] : operator;
  if (field === TIMESTAMP) {
    changes.add("presentTime");
    const values = [new Date(limit * 1000).toISOString()];
    return {
      constraint: { field: "currentTime", operator: ORDER[order], values, contextType: "date" },
    };
  }
  const condition = typed(ORDER[order], { field, values: [limit] }, changes);
  if (!ZERO[order](limit)) return condition;
  return { any: [condition, { not: { constraint: { field, operator: "exists" } } }] };
}

function membership([needle, list]: readonly unknown[], changes: Changes): Condition {
  const field = fieldOf(needle, changes);
  if (field !== undefined && Array.isArray(list)) {
    const values = list.filter((value) => isScalar(value));
    if (values.length < list.length) throw unsupported("in");
    const types = [...new Set(values.map((value) => typeof value))];
    const ofType = (type: string) => values.filter((value) => typeof value === type);
    return {
      any: types.map((type) => typed("in", { field, values: ofType(type) }, changes)),
    };
  }
  const text = fieldOf(list, changes);
  if (text === undefined || typeof needle !== "string") throw unsupported("in");
  return typed("contains", { field: text, values: [needle] }, changes);
}

function textual(operator: string, [field, text]: readonly unknown[], changes: Changes): Condition {
  const name = fieldOf(field, changes);
  if (name === undefined || typeof text !== "string") throw unsupported(operator);
  return typed(operator, { field: name, values: [text] }, changes);
}

function versions([field, sign, text]: readonly unknown[], changes: Changes): Condition {
  const name = fieldOf(field, changes);
  const version = typeof text === "string" || typeof text === "number" ? complete(`${text}`) : "";
  const parsed = parseVersion(version);
  if (name === undefined || !parsed) throw unsupported("sem_ver");
  changes.add("otherVersions", { field: name });
  const compare = (operator: string, value: string): Condition => ({
    constraint: checked({ field: name, operator, values: [value], contextType: "semver" }),
  });
  // `-0` is below all pre-releases of a version.
  const from = (start: string, end: string): Condition => ({
    all: [compare("gte", `${start}-0`), compare("lt", `${end}-0`)],
  });
  const { major, minor } = parsed;
  switch (sign) {
    case "=":
      return compare("equals", version);
    case "!=":
      return {
        all: [
          { constraint: { field: name, operator: "exists" } },
          { not: compare("equals", version) },
        ],
      };
    case "<":
    case "<=":
    case ">":
    case ">=":
      return compare(ORDER[sign], version);
    case "^":
      return from(`${major}.0.0`, `${BigInt(major) + 1n}.0.0`);
    case "~":
      return from(`${major}.${minor}.0`, `${major}.${BigInt(minor) + 1n}.0`);
    default:
      throw unsupported("sem_ver");
  }
}

/** flagd accepts versions with one or two numbers, and a `v` before them. */
function complete(text: string): string {
  const version = text.replace(/^v/i, "");
  const missing = /^\d+(\.\d+)?$/.exec(version);
  if (!missing) return version;
  return missing[1] === undefined ? `${version}.0.0` : `${version}.0`;
}

function truthiness(expression: unknown, changes: Changes): Condition {
  const field = fieldOf(expression, changes);
  if (field === undefined || field === TIMESTAMP) throw unsupported("var");
  changes.add("truthiness", { field });
  const empty = { field, operator: "in", values: ["", "0", "false"] };
  return {
    all: [{ constraint: { field, operator: "exists" } }, { not: { constraint: empty } }],
  };
}

/** The operators whose result is true or false, also if the field is missing. */
const STRICT = new Set(["==", "===", "!=", "!==", "<", "<=", ">", ">=", "in", "!", "!!"]);

/** Whether the result of a condition is true or false, so that it can name a variant. */
export function isStrict(expression: unknown): boolean {
  const operation = operationOf(expression);
  if (!operation) return typeof expression === "boolean";
  const { operator, args } = operation;
  return operator === "and" || operator === "or" ? args.every(isStrict) : STRICT.has(operator);
}
