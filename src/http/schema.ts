import { z } from "@hono/zod-openapi";

/** The schema of an id: an integer from 1 that JavaScript represents exactly. */
export const id = z.int().min(1).openapi({ format: "int64", example: 1 });

/** The schema of an id in a path or query: decimal digits, parsed to a number. */
export const idText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, "must be a positive integer")
  .transform(Number)
  .pipe(id)
  .openapi({ type: "integer", format: "int64", minimum: 1 });

/** The schema of an id in a path. The interactive API page fills in the example. */
export const pathId = (parameter: string) =>
  idText.openapi({ param: { name: parameter, in: "path" }, example: 1 });

/** The schema of the parameters of a path with one id. */
export const idParams = z.object({ id: pathId("id") });

/** The schema of `true` or `false` in a query, parsed to a boolean. */
export const booleanText = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .openapi({ type: "boolean" });

/**
 * The schema of a name: a text of 1 to 200 characters, without the white space around it. The limit
 * is part of the API (docs/decisions.md, 4.6).
 */
export const name = z
  .string()
  .trim()
  // A text with half a surrogate pair is rejected, because the database would store another
  // character.
  .refine((text) => text.isWellFormed(), "must be well-formed Unicode")
  .min(1, "must not be empty")
  .max(200, "must have at most 200 characters");
/** The schema of a description: a text of at most 2,000 characters, or null. */
export const descriptionText = z.string().max(2000, "must have at most 2000 characters").nullable();

/** The schema of a row's version, for optimistic locking. */
export const version = z
  .int()
  .openapi({ description: "Increases with every change; also in the `ETag`" });

/** Formats epoch milliseconds as ISO 8601 in UTC, with milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
/** The schema of a time in a response, as `iso` formats it. */
export const timestamp = z.iso.datetime({ precision: 3 });
