import { z } from "@hono/zod-openapi";
import { ERROR_CODES, type ErrorCode } from "../core/errors/api-error.ts";
import { EXAMPLE_TRACE, type HeaderName, headerRefs, TRACE_HEADERS } from "./headers.ts";

export const errorBody = z
  .object({
    error: z.string().openapi({ description: "What went wrong, for people" }),
    code: z.enum(ERROR_CODES).openapi({ description: "What went wrong, for programs" }),
    traceId: z.string().openapi({ description: "The same as `X-B3-TraceId`" }),
    details: z
      .array(z.object({ field: z.string(), message: z.string() }))
      .optional()
      .openapi({ description: "With `VALIDATION_ERROR`: every fault of the body" }),
  })
  .openapi("Error");

interface ErrorResponse {
  readonly description: string;
  /** By code, the words and, for a body that is not valid, the faults. */
  readonly examples: Partial<Record<ErrorCode, { error: string; details?: object[] }>>;
  readonly headers?: readonly HeaderName[];
}

const UNAUTHORIZED = { error: "A valid token or key is required" };

/** The error answers, by the name of their component. */
export const ERROR_RESPONSES = {
  BadRequest: {
    description: "The request is malformed (`BAD_REQUEST`), or its body is not valid",
    examples: {
      BAD_REQUEST: { error: "Malformed JSON in request body" },
      VALIDATION_ERROR: {
        error: "The request body is not valid",
        details: [{ field: "name", message: "must not be empty" }],
      },
    },
  },
  Unauthorized: {
    description: "The token or key is missing or not valid",
    examples: { UNAUTHORIZED },
    headers: ["WWW-Authenticate"],
  },
  InvalidCredentials: {
    description: "The e-mail address or the password is wrong",
    examples: { INVALID_CREDENTIALS: { error: "Wrong e-mail or password" } },
  },
  RefreshRefused: {
    description: "The token is not valid, or was used before: then every device must sign in again",
    examples: {
      TOKEN_REUSE: { error: "The token was used before; sign in again" },
      UNAUTHORIZED: { error: "The refresh token is not valid" },
    },
    headers: ["WWW-Authenticate"],
  },
  QuotaExceeded: {
    description: "A resource quota is exceeded",
    examples: { QUOTA_EXCEEDED: { error: "No more than 5000 flags" } },
  },
  Forbidden: {
    description: "The caller may not do this",
    examples: { FORBIDDEN: { error: "This needs the permission flag:write" } },
  },
  NotFound: {
    description: "It does not exist",
    examples: { NOT_FOUND: { error: "The flag does not exist" } },
  },
  Conflict: {
    description: "It conflicts with what exists",
    examples: { CONFLICT: { error: "A flag with this key exists in the project" } },
  },
  PreconditionFailed: {
    description: "Somebody else changed it in the meantime",
    examples: {
      CONFLICT: { error: "Somebody else changed this in the meantime; read it again" },
    },
  },
  TooManyRequests: {
    description: "Too many requests",
    examples: { RATE_LIMIT_EXCEEDED: { error: "Too many requests; wait before the next" } },
    headers: ["Retry-After"],
  },
  InternalError: {
    description: "An unexpected error; the log knows more by the trace id",
    examples: { INTERNAL_ERROR: { error: "Unexpected server error" } },
  },
  Unavailable: {
    description: "The service cannot answer at the moment",
    examples: { SERVICE_UNAVAILABLE: { error: "The service cannot answer at the moment" } },
    headers: ["Retry-After"],
  },
} as const satisfies Record<string, ErrorResponse>;

type ErrorResponseName = keyof typeof ERROR_RESPONSES;

/** The component that a refusal is in the description. */
export function errorComponent({ description, examples, headers = [] }: ErrorResponse) {
  const values = Object.entries(examples).map(([code, { error: words, ...more }]) => [
    code,
    { value: { error: words, code, traceId: EXAMPLE_TRACE, ...more } },
  ]);
  return {
    description,
    headers: headerRefs([...TRACE_HEADERS, ...headers]),
    content: {
      "application/json": {
        schema: { $ref: "#/components/schemas/Error" },
        examples: Object.fromEntries(values) as Record<string, { value: object }>,
      },
    },
  };
}

const NAME_OF = {
  400: "BadRequest",
  401: "Unauthorized",
  402: "QuotaExceeded",
  403: "Forbidden",
  404: "NotFound",
  409: "Conflict",
  412: "PreconditionFailed",
  429: "TooManyRequests",
  500: "InternalError",
  503: "Unavailable",
} as const satisfies Record<number, ErrorResponseName>;

/** To the types, what the reference leads to: so that handlers stay checked against their contract. */
interface ErrorAnswer {
  description: string;
  content: { "application/json": { schema: typeof errorBody } };
}

export const errorRef = (name: ErrorResponseName) =>
  ({ $ref: `#/components/responses/${name}` }) as unknown as ErrorAnswer;

/** Every route may give them. */
const ALWAYS = [429, 500, 503] as const;
type Always = (typeof ALWAYS)[number];

/** The error answers of a route contract, and those that every route may give. */
export function errors<const S extends keyof typeof NAME_OF>(
  ...statuses: S[]
): Record<S | Always, ErrorAnswer> {
  const entries = [...statuses, ...ALWAYS].map((status) => [status, errorRef(NAME_OF[status])]);
  return Object.fromEntries(entries) as Record<S | Always, ErrorAnswer>;
}
