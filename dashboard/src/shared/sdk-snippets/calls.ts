import { go, javascript, python } from "./literals.ts";
import type { SnippetInput } from "./types.ts";

type Checked = Pick<SnippetInput, "flagKey" | "valueType" | "fallback">;

const OPENFEATURE = { boolean: "Boolean", string: "String", number: "Number", json: "Object" };

/** Returns the key and the default as the first arguments of a call in JavaScript. */
const keyAndDefault = ({ flagKey, fallback }: Checked): string =>
  `${javascript(flagKey)}, ${javascript(fallback)}`;

/** The check of a flag with an OpenFeature client of JavaScript, without `context` in a browser. */
export const openFeatureCall = (flag: Checked, context?: string): string =>
  `client.get${OPENFEATURE[flag.valueType]}Value(${keyAndDefault(flag)}${context === undefined ? "" : `, ${context}`})`;

/** The hook for a flag, which OpenFeature for React calls by the type. */
export const reactHook = ({ valueType }: Checked): string =>
  `use${OPENFEATURE[valueType]}FlagValue`;

export const reactCall = (flag: Checked): string => `${reactHook(flag)}(${keyAndDefault(flag)})`;

/** The provider for Python takes a whole number for an integer, and nothing else (docs/use/openfeature.md). */
export function pythonCall({ flagKey, valueType, fallback }: Checked): string {
  const names = {
    boolean: "boolean",
    string: "string",
    number: Number.isInteger(fallback) ? "integer" : "float",
    json: "object",
  };
  return `client.get_${names[valueType]}_value(${python(flagKey)}, ${python(fallback)}, user)`;
}

export function goCall({ flagKey, valueType, fallback }: Checked): string {
  const names = { boolean: "Boolean", string: "String", number: "Float", json: "Object" };
  return `client.${names[valueType]}Value(context.Background(), ${go(flagKey)}, ${go(fallback)}, user)`;
}

export const sdkCall = (flag: Checked): string =>
  `client.${flag.valueType}(${keyAndDefault(flag)}, { targetingKey: "ann" })`;

/**
 * The lines that print a flag with an SDK of Unleash for JavaScript. A value is the text of the
 * variant's payload. `context` is an argument of SDKs for servers.
 */
export function unleashLines({ flagKey, valueType, fallback }: Checked, context?: string): string {
  const args = [javascript(flagKey), ...(context === undefined ? [] : [context])].join(", ");
  if (valueType === "boolean") return `console.log(unleash.isEnabled(${args}));`;
  const read = {
    string: "payload.value",
    number: "Number(payload.value)",
    json: "JSON.parse(payload.value)",
  }[valueType];
  return `const { payload } = unleash.getVariant(${args});
console.log(payload ? ${read} : ${javascript(fallback)});`;
}

/** What of an evaluation by the service is printed. */
export const evaluatedValue = ({ flagKey, valueType, fallback }: Checked): string =>
  `flags[${javascript(flagKey)}]?.${valueType === "boolean" ? "enabled" : "value"} ?? ${javascript(fallback)}`;
