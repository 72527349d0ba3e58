/** The most characters of a value. JSON values and rules can be long. */
const MAX_VALUE = 200;

/** Returns a value of a file as JSON, cut off after 200 characters. A missing value is a dash. */
export function valueText(value: unknown): string {
  if (value === undefined) return "–";
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)} …` : text;
}
