import { parseWithDigits } from "@feature-flags/evaluation/json-numbers";
import { Failure } from "./failure.ts";

/**
 * Returns an evaluation context from `field=value` texts and a JSON object; the texts count more. A
 * value stays a text, because constraints compare texts, and read numbers and dates from them. Throws:
 * a Failure.
 */
export function contextOf(
  fields: readonly string[],
  json: string | undefined,
): Readonly<Record<string, unknown>> {
  return { ...objectOf(json), ...Object.fromEntries(fields.map(fieldOf)) };
}

function fieldOf(text: string): [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new Failure("usage", `A field of the context needs a name and a value: ${text}`, {
    remedy: "Write it as -c country=DE.",
  });
}

function objectOf(json: string | undefined): object {
  if (json === undefined) return {};
  try {
    const value: unknown = parseWithDigits(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // The error below says what is expected.
  }
  throw new Failure("usage", "--context-json must be a JSON object", {
    remedy: `Write it as --context-json '{"country": "DE"}'.`,
  });
}
