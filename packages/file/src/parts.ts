import * as z from "zod/mini";
import { nearest } from "./nearest.ts";

/** The most faults that a check reports. */
export const MAX_FAULTS = 100;

/**
 * The most items of a list, and entries of an object inside of a resource. The longest lists that the
 * service accepts are the values of a constraint and of a context. A longer list is refused at once.
 */
export const MAX_ITEMS = 1000;

/**
 * The most items of all lists of a resource together. The constraints of a strategy have at most 256 KB,
 * which has fewer.
 */
export const MAX_ALL_ITEMS = 100_000;

/** What was counted in the lists of the resource that is checked now. */
export const counted = { items: 0, faults: 0 };

/** What a JSON Schema says of a schema besides its type. */
export const about = z.registry<Readonly<Record<string, unknown>>>();

/** Returns the schema of a field that a file can leave out. `usual`: its default; undefined: none. */
export function field<T extends z.core.$ZodType>(schema: T, usual?: unknown): z.ZodMiniOptional<T> {
  const optional = z.optional(schema);
  if (usual !== undefined) about.add(optional, { default: usual });
  return optional;
}

/** Returns the schema of an object without other fields. The error of an unknown field names a field like it. */
export function fields<T extends z.core.$ZodShape>(shape: T) {
  const unknownField = (name: string) => {
    const near = nearest(name, Object.keys(shape));
    return near === undefined ? "is not a field" : `is not a field; did you mean ${near}?`;
  };
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.slice(0, MAX_FAULTS).map(unknownField).join("\n")
        : undefined,
  });
}

/**
 * Returns the schema of a list. Refuses a list that is too long before it looks at the items, and, with
 * an empty message, every list after enough faults: each fault takes as long as a hundred good items.
 */
export function list<T extends z.core.$ZodType>(item: T) {
  const short = z.custom<unknown[]>(Array.isArray, "must be a list").check(
    z.superRefine(({ length }, c) => {
      counted.items += length;
      const refuse = (message: string) => c.addIssue({ code: "custom", message, continue: false });
      if (counted.faults >= MAX_FAULTS) refuse("");
      else if (length > MAX_ITEMS) refuse(`must have at most ${MAX_ITEMS} items`);
      else if (counted.items > MAX_ALL_ITEMS)
        refuse(`must have at most ${MAX_ALL_ITEMS} items, with all lists around it`);
    }),
  );
  const countFaults = z.check<z.output<T>[]>(
    ({ issues }) => void (counted.faults += issues.length),
    {
      when: () => true,
    },
  );
  const items = z.array(item).check(countFaults);
  return z.pipe(short, items);
}

const NAMES: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  null: "null",
  object: "an object",
  record: "an object",
  tuple: "a list",
};

/** Returns the advice for a value without quotes where a text is expected. */
const quoted = (value: unknown, expected: string | undefined): string =>
  expected === "string" && (typeof value === "number" || typeof value === "boolean")
    ? `: write "${value}" with quotes`
    : "";

/** Returns the message of an issue that has no message of its own. */
export function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  const { input } = issue;
  switch (issue.code) {
    case "invalid_type":
      if (input === undefined) return "is required";
      return `must be ${NAMES[issue.expected]}${quoted(input, issue.expected)}`;
    case "invalid_value":
      if (input === undefined) return "is required";
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.join(", ")}`;
    case "invalid_union": {
      if (input === undefined) return "is required";
      const types = issue.errors.flatMap(([first]) => expectedBy(first) ?? []);
      const hint = typeof input === "number" ? quoted(input, types[0]) : "";
      return `must be ${types.map((type) => NAMES[type]).join(" or ")}${hint}`;
    }
    default:
      return undefined;
  }
}

/** Returns the type that a value must have; undefined if its type is right. */
export const expectedBy = (issue: z.core.$ZodIssue | undefined): string | undefined =>
  issue?.code === "invalid_type" && issue.path.length === 0 ? issue.expected : undefined;
