import { isObject } from "../lib/is-object.ts";
import type { JsonFault } from "../lib/json-fault.ts";
import { readSchema } from "./read-schema.ts";
import { uniformSchema } from "./uniform-schema.ts";
import { valueFault } from "./value-fault.ts";

/**
 * The most work that a check may take: the cost of the schema multiplied by the size of the values.
 * This much work takes at most 0.1 seconds (hostile-schemas.test.ts).
 */
const MAX_WORK = 3_000_000;

/**
 * The work of reading a schema: for each character of its JSON, for each instruction of its regular
 * expressions, and for each 1 of its cost. Measured in units of `MAX_WORK`, which take 0.02 to 0.04 µs.
 */
const WORK_OF_CHARACTER = 10;
const WORK_OF_INSTRUCTION = 160;
const WORK_OF_COST = 50;

/**
 * The most work that all checks of a request may take. One check with the most work, of a schema
 * that takes the most work to read, is within it.
 */
const MAX_WORK_OF_REQUEST = 5_000_000;

/** The number of characters of a text that count as much as one part of a value. */
const CHARACTERS_PER_PART = 16;

/**
 * The maximum lengths of an error message and of its place, characters. A message can quote a whole
 * list, and a place has names of the schema or value.
 */
const MAX_MESSAGE_LENGTH = 200;
const MAX_PLACE_LENGTH = 1000;

/** The work that the checks of a request may still take. */
export class CheckBudget {
  #left = MAX_WORK_OF_REQUEST;

  /** Whether some work was within the budget. */
  spend(work: number): boolean {
    this.#left -= work;
    return this.#left >= 0;
  }

  get isSpent(): boolean {
    return this.#left < 0;
  }
}

/** What is wrong with a schema, or with the values that it should accept. */
export interface SchemaCheck {
  /** The faults of the schema itself. */
  readonly schema: readonly JsonFault[];
  /** One fault for each value that the schema rejects, by the index of the value. */
  readonly values: ReadonlyMap<number, JsonFault>;
}

/**
 * Checks values by a schema of the supported subset of JSON Schema 2020-12. A schema may be
 * hostile, so a check that would take too long is reported as a fault of the schema.
 *
 * @param values values of `JSON.parse`
 * @param budget the budget of the request, if it has several checks
 */
export function checkValues(
  schema: unknown,
  values: readonly unknown[],
  budget: CheckBudget = new CheckBudget(),
): SchemaCheck {
  if (budget.isSpent) return overBudget;
  const read = readSchema(schema);
  const readingWork =
    WORK_OF_CHARACTER * JSON.stringify(schema).length + WORK_OF_INSTRUCTION * read.regexSize;
  if ("faults" in read) {
    budget.spend(readingWork);
    return { schema: read.faults.map(shortened), values: new Map() };
  }
  const size = values.reduce<number>((sum, value) => sum + sizeOf(value), 0);
  if (read.cost * size > MAX_WORK) {
    budget.spend(readingWork + WORK_OF_COST * (read.cost + size));
    const message = `must be smaller, or the values must be: cost ${Math.ceil(read.cost)} of the schema × size ${Math.ceil(size)} of the values must be at most ${MAX_WORK}`;
    return { schema: [{ at: "", message }], values: new Map() };
  }
  if (!budget.spend(readingWork + WORK_OF_COST * read.cost + read.cost * size)) return overBudget;
  const uniform = uniformSchema(read);
  const found = values.flatMap((value, n) => {
    const fault = valueFault(uniform, value);
    return fault ? [[n, shortened(fault)] as const] : [];
  });
  return { schema: [], values: new Map(found) };
}

const overBudget: SchemaCheck = {
  schema: [
    {
      at: "",
      message:
        "takes too long to check together with the other schemas of the request; send fewer flags in a request",
    },
  ],
  values: new Map(),
};

/** Returns the size of a value: 1 for each part and each name, and more for long texts. */
function sizeOf(value: unknown): number {
  if (typeof value === "string") return 1 + value.length / CHARACTERS_PER_PART;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + sizeOf(item), 1);
  if (!isObject(value)) return 1;
  return Object.entries(value).reduce((sum, [name, part]) => sum + sizeOf(name) + sizeOf(part), 1);
}

const shortened = ({ at, message }: JsonFault): JsonFault => ({
  at: cut(at, MAX_PLACE_LENGTH),
  message: cut(message, MAX_MESSAGE_LENGTH),
});

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}…` : text;
