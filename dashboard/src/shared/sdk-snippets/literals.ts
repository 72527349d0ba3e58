/** Returns a value of JSON as a literal in JavaScript. */
export const javascript = (value: unknown): string => JSON.stringify(value);

/**
 * Returns a value of JSON as a literal in Python. The escapes of a text in JSON mean the same in
 * Python.
 */
export function python(value: unknown): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, one]) => `${python(name)}: ${python(one)}`);
  return `{${entries.join(", ")}}`;
}

/** Returns a value of JSON as a literal in Go. The escapes of a text in JSON mean the same in Go. */
export function go(value: unknown): string {
  if (value === null) return "nil";
  if (Array.isArray(value)) return `[]any{${value.map(go).join(", ")}}`;
  if (typeof value !== "object") return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, one]) => `${go(name)}: ${go(one)}`);
  return `map[string]any{${entries.join(", ")}}`;
}

/** Returns a text in single quotes for a POSIX shell, which reads everything between them as it is. */
export const shell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
