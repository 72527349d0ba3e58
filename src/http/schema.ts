import { z } from "@hono/zod-openapi";

/** Ids are integers that JavaScript can hold exactly. */
export const id = z.int().min(1);

/** An id in a path or query: decimal digits only. */
export const idText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, "must be a positive integer")
  .transform(Number)
  .pipe(id)
  .openapi({ type: "integer", format: "int64", minimum: 1 });

export const idParams = z.object({ id: idText.openapi({ param: { name: "id", in: "path" } }) });

export const booleanText = z
  .enum(["true", "false"])
  .transform((text) => text === "true")
  .openapi({ type: "boolean" });

/** Limits of decisions 4.6. */
export const name = z
  .string()
  .trim()
  // Half a surrogate pair would come back from the database as another character.
  .refine((text) => text.isWellFormed(), "must be well-formed Unicode")
  .min(1, "must not be empty")
  .max(200, "must have at most 200 characters");
export const descriptionText = z.string().max(2000, "must have at most 2000 characters").nullable();

/** Epoch milliseconds to the wire's ISO 8601 UTC with milliseconds. */
export const iso = (ms: number): string => new Date(ms).toISOString();
export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : iso(ms));
export const timestamp = z.iso.datetime({ precision: 3 });

const errorBody = z
  .object({
    error: z.string(),
    code: z.string(),
    traceId: z.string(),
    details: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  })
  .openapi("Error");

/** A JSON answer of a route contract. */
export const json = <T extends z.ZodType>(schema: T, description: string) => ({
  description,
  content: { "application/json": { schema } },
});

/** A JSON request body of a route contract. */
export const body = <T extends z.ZodType>(schema: T) => ({
  required: true,
  content: { "application/json": { schema } },
});

const DESCRIPTIONS = {
  400: "The request is malformed or not valid",
  401: "The token or key is missing or not valid",
  402: "A resource quota is exceeded",
  403: "The caller may not do this",
  404: "It does not exist",
  409: "It conflicts with what exists",
  412: "Somebody else changed it in the meantime",
  503: "The service cannot answer at the moment",
} as const;

type Described = keyof typeof DESCRIPTIONS;
type ErrorAnswers<S extends Described> = Record<
  S,
  { description: string; content: { "application/json": { schema: typeof errorBody } } }
>;

/** The error answers of a route contract. */
export function errors<const S extends Described>(...statuses: S[]): ErrorAnswers<S> {
  const entries = statuses.map((status) => [status, json(errorBody, DESCRIPTIONS[status])]);
  return Object.fromEntries(entries) as ErrorAnswers<S>;
}
