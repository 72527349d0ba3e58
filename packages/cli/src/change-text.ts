export type Fields = Readonly<Record<string, unknown>> | null;

/** Describes the fields that differ, such as `enabled false → true`. A percentage is one field. */
export function changeText(before: Fields, after: Fields): string {
  const [old, fresh] = [withPercentage(before, after), withPercentage(after, before)];
  return Object.keys(fresh)
    .map((field) => `${field} ${json(old[field])} → ${json(fresh[field])}`)
    .join(", ");
}

const json = (value: unknown): string => JSON.stringify(value) ?? "nothing";

/**
 * Returns the fields with `percentage` for both fields of a percentage: `exactPercentage`, which is null
 * for a whole number, and the whole part. Content that lacks the whole part has that of the other content.
 */
function withPercentage(fields: Fields, other: Fields): Readonly<Record<string, unknown>> {
  const { percentage, exactPercentage, ...rest } = fields ?? {};
  if (percentage === undefined && exactPercentage === undefined) return rest;
  const exact = other?.["exactPercentage"];
  const whole = percentage ?? (typeof exact === "number" ? Math.floor(exact) : undefined);
  return { percentage: exactPercentage ?? whole, ...rest };
}
