import { z } from "@hono/zod-openapi";

/** Ids are integers that JavaScript can hold exactly. */
export const id = z.int().min(1).openapi({ format: "int64", example: 1 });

/** An id in a path or query: decimal digits only. */
export const idText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, "must be a positive integer")
  .transform(Number)
  .pipe(id)
  .openapi({ type: "integer", format: "int64", minimum: 1 });

/** One in a path, where the page of the API needs something to start with. */
export const pathId = (parameter: string) =>
  idText.openapi({ param: { name: parameter, in: "path" }, example: 1 });

export const idParams = z.object({ id: pathId("id") });

export const booleanText = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .openapi({ type: "boolean" });

/** The limits of `name` and `descriptionText`: docs/decisions.md, 4.6. */
export const name = z
  .string()
  .trim()
  // Half a surrogate pair would come back from the database as another character.
  .refine((text) => text.isWellFormed(), "must be well-formed Unicode")
  .min(1, "must not be empty")
  .max(200, "must have at most 200 characters");
export const descriptionText = z.string().max(2000, "must have at most 2000 characters").nullable();

/** Of a row that several people may edit. */
export const version = z.int().openapi({ description: "Counts the changes; the `ETag`" });

/** Epoch milliseconds to the wire's ISO 8601 UTC with milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
export const timestamp = z.iso.datetime({ precision: 3 });
