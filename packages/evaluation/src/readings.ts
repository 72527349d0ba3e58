import { contextReader, type Reading, toText } from "./context.ts";
import type { EvaluationContext } from "./rule.ts";

/** Reads one field of a context. Returns undefined when it is missing or cannot be used. */
type FieldReader = (context: EvaluationContext) => unknown;

/**
 * Reads the context fields of the constraints that are compiled together. Constraints with the same
 * field and the same reading share a reader, which remembers the newest value. So however many
 * constraints a batch evaluates, it parses each field once for each reading. A reader of texts
 * remembers nothing, because to compare two texts takes longer than to read one.
 */
export class Readings {
  readonly #readers = new Map<Reading<unknown>, Map<string, FieldReader>>();

  reader(field: string, read: Reading<unknown>): FieldReader {
    let byField = this.#readers.get(read);
    if (byField === undefined) this.#readers.set(read, (byField = new Map()));
    let reader = byField.get(field);
    if (reader === undefined) byField.set(field, (reader = makeReader(field, read)));
    return reader;
  }
}

function makeReader(field: string, read: Reading<unknown>): FieldReader {
  const readPrimitive = contextReader(field);
  if (read === toText)
    return (context) => {
      const value = readPrimitive(context);
      return value === undefined ? undefined : toText(value);
    };
  let newest: unknown;
  let operand: unknown;
  return (context) => {
    const value = readPrimitive(context);
    if (value === undefined) return undefined;
    if (value !== newest) {
      operand = read(value);
      newest = value;
    }
    return operand;
  };
}
