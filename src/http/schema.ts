import { z } from "@hono/zod-openapi";
import { hasInvisible } from "../core/lib/visible-text.ts";

/** The schema of an id: an integer from 1 that JavaScript represents exactly. */
export const id = z.int().min(1).openapi({ format: "int64", example: 1 });

/** The schema of an id in a path or query: decimal digits, parsed to a number. */
export const idText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, "must be a positive integer")
  .transform(Number)
  .pipe(id)
  .openapi({ type: "integer", format: "int64", minimum: 1 });

/** The schema of a list of different ids in a query, with commas between them. */
export const idsText = (max: number) =>
  z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(idText).max(max, `must have at most ${max} ids`))
    .refine((ids) => new Set(ids).size === ids.length, "must not have an id twice");

/** The schema of an id in a path. The interactive API page fills in the example. */
export const pathId = (parameter: string) =>
  idText.openapi({ param: { name: parameter, in: "path" }, example: 1 });

export const idParams = z.object({ id: pathId("id") });

/** The schema of `true` or `false` in a query, parsed to a boolean. */
export const booleanText = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .openapi({ type: "boolean" });

/** The schema of a text that a list is searched for. Normalised to NFC, because names are stored in NFC. */
export const searchText = z.string().normalize("NFC").min(1).max(200);

/**
 * Rejects a text with half a surrogate pair, because the database would store a replacement
 * character instead.
 */
const wellFormed = [(text: string) => text.isWellFormed(), "must be well-formed Unicode"] as const;

/**
 * The schema of a text that SDKs receive as it is, such as a hash key. Rejects a text with half a
 * surrogate pair: one such text makes some JSON parsers reject all rules.
 */
export const exactText = z.string().refine(...wellFormed);

/** The check that a text has no invisible character, which would make it look like a different text. */
export const visible = [
  (text: string) => !hasInvisible(text),
  "must not contain control characters or other invisible characters",
] as const;

/**
 * Adds the rules of a text that names something: the text is normalised to NFC and has no invisible
 * characters, so that two different names do not look the same.
 */
const identifying = (text: z.ZodString) =>
  text
    .normalize("NFC")
    .refine(...wellFormed)
    .refine(...visible);

/** The schema of a key that a user chooses, such as the key of a context field. */
export const keyText = identifying(z.string());

/**
 * The schema of a name: a text of 1 to 200 characters. White space at its start and end is removed.
 * The limit is part of the API (docs/use/api.md, Limits).
 */
export const name = identifying(z.string().trim())
  .min(1, "must not be empty")
  .max(200, "must have at most 200 characters");

/** Control characters except tabs and line breaks, and the characters that override the direction. */
const UNREADABLE = /[^\P{Cc}\t\n\r]|[\u202a-\u202e\u2066-\u2069]/u;

/**
 * The schema of a text for people to read: at most `max` characters. It may have line breaks and
 * tabs. Like a name, it is normalised to NFC.
 */
export const readableText = (max: number) =>
  z
    .string()
    .normalize("NFC")
    .refine(...wellFormed)
    .refine(
      (text) => !UNREADABLE.test(text),
      "must not contain control characters, or characters that override the direction of text",
    )
    .max(max, `must have at most ${max} characters`);

/** The schema of a description: a text of at most 2,000 characters, or null. */
export const descriptionText = readableText(2000).nullable();

/** The schema of a row's version, for optimistic locking. */
export const version = z
  .int()
  .openapi({ description: "Increases with every change; also in the `ETag`" });

/** Formats epoch milliseconds as ISO 8601 in UTC, with milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
/** The schema of a time in a response, as `iso` formats it. */
export const timestamp = z.iso.datetime({ precision: 3 });

/** The schema of a time in a request: ISO 8601 with an offset, parsed to epoch milliseconds. */
export const instant = z.iso
  .datetime({
    offset: true,
    error: "must be a time with an offset, such as 2026-01-02T09:00:00+01:00",
  })
  .transform((text) => Date.parse(text))
  .openapi({ type: "string", format: "date-time" });
