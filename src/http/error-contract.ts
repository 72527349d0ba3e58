import { z } from "@hono/zod-openapi";
import { ERROR_CODES, type ErrorCode } from "../core/errors/api-error.ts";
import { PROBLEMS } from "../core/errors/sign-on-problem.ts";
import { id } from "./schema.ts";
import { EXAMPLE_TRACE, type HeaderName, headerRefs, TRACE_HEADERS } from "./headers.ts";

/** The schema of an error body. */
export const errorBody = z
  .object({
    error: z.string().openapi({ description: "What went wrong, for people to read" }),
    code: z.enum(ERROR_CODES).openapi({ description: "What went wrong, for programs to compare" }),
    traceId: z
      .string()
      .openapi({ description: "The trace id of the request, as in `X-B3-TraceId`" }),
    details: z
      .array(z.object({ field: z.string(), message: z.string() }))
      .optional()
      .openapi({
        description:
          "With `VALIDATION_ERROR`: every field error of the body. With `CONFLICT` of a rebase: every field " +
          "that needs a choice",
      }),
    approval: z
      .object({ environments: z.array(z.object({ id, name: z.string() })) })
      .optional()
      .openapi({
        description:
          "With `APPROVAL_REQUIRED`: the environments in which the change needs an approval",
      }),
    problem: z
      .enum(PROBLEMS)
      .optional()
      .openapi({
        description:
          "Of a sign-in at an identity provider that is refused or cannot begin: why, as in `/sign-in?problem=`; " +
          "of a provider that is checked before it is saved: `provider`",
      }),
  })
  .openapi("Error");

/** An error response in the OpenAPI description. */
interface ErrorResponse {
  readonly description: string;
  /** An example for each error code: the error text, and what belongs to the code. */
  readonly examples: Partial<
    Record<ErrorCode, { error: string; details?: object[]; approval?: object }>
  >;
  readonly headers?: readonly HeaderName[];
}

const UNAUTHORIZED = { error: "A valid token or key is required" };

/** The error responses of the API description, by the name of their OpenAPI component. */
export const ERROR_RESPONSES = {
  BadRequest: {
    description:
      "The request is malformed (`BAD_REQUEST`), or its body is invalid (`VALIDATION_ERROR`)",
    examples: {
      BAD_REQUEST: { error: "Malformed JSON in request body" },
      VALIDATION_ERROR: {
        error: "The request body is not valid",
        details: [{ field: "name", message: "must not be empty" }],
      },
    },
  },
  DeviceTokenRefused: {
    description:
      "The request is malformed (`BAD_REQUEST`, `VALIDATION_ERROR`), nobody has decided yet " +
      "(`AUTHORIZATION_PENDING`), the request comes too early (`SLOW_DOWN`), a user has denied the login " +
      "(`ACCESS_DENIED`), or its code is unknown, was used or has expired (`EXPIRED_TOKEN`)",
    examples: {
      AUTHORIZATION_PENDING: { error: "Nobody has approved the login yet; ask again" },
      SLOW_DOWN: { error: "Wait 5 seconds longer between requests" },
      ACCESS_DENIED: {
        error:
          "The login was denied, or the user who approved it is not active; begin a new login, or ask an administrator",
      },
      EXPIRED_TOKEN: {
        error: "The device code is unknown, was used or has expired; begin the login again",
      },
      VALIDATION_ERROR: {
        error: "The request body is not valid",
        details: [{ field: "deviceCode", message: "must not be empty" }],
      },
    },
  },
  Unauthorized: {
    description: "The token or key is missing or invalid",
    examples: { UNAUTHORIZED },
    headers: ["WWW-Authenticate"],
  },
  InvalidCredentials: {
    description: "The e-mail address or the password is wrong",
    examples: { INVALID_CREDENTIALS: { error: "Wrong e-mail or password" } },
  },
  RefreshRefused: {
    description:
      "The token is invalid, or it was used before (`TOKEN_REUSE`): then its session has ended",
    examples: {
      TOKEN_REUSE: { error: "The refresh token was used before; sign in again" },
      UNAUTHORIZED: { error: "The refresh token is not valid" },
    },
    headers: ["WWW-Authenticate"],
  },
  QuotaExceeded: {
    description: "A resource quota is exceeded",
    examples: { QUOTA_EXCEEDED: { error: "The quota of 5000 flags in a project is used up" } },
  },
  Forbidden: {
    description: "The caller does not have the permission",
    examples: { FORBIDDEN: { error: "The request needs the permission flag:write" } },
  },
  NotFound: {
    description: "The resource does not exist",
    examples: { NOT_FOUND: { error: "The flag does not exist" } },
  },
  Conflict: {
    description:
      "The request conflicts with an existing resource (`CONFLICT`), or changes rules of a protected " +
      "environment directly (`APPROVAL_REQUIRED`)",
    examples: {
      CONFLICT: { error: "A flag with this key exists in the project" },
      APPROVAL_REQUIRED: {
        error:
          "The change needs an approval in these environments: production. Propose it instead: with ?propose=true " +
          "and the header X-Change-Reason, or with POST /api/v1/change-requests",
        approval: { environments: [{ id: 3, name: "production" }] },
      },
    },
  },
  PreconditionFailed: {
    description: "The resource has changed since it was read",
    examples: {
      CONFLICT: {
        error:
          "The resource has changed since you loaded it. Load it again, then repeat your change",
      },
    },
  },
  TooManyRequests: {
    description: "Too many requests",
    examples: { RATE_LIMIT_EXCEEDED: { error: "Too many requests; wait before the next" } },
    headers: ["Retry-After"],
  },
  InternalError: {
    description: "An unexpected error; the log has the details under the trace id",
    examples: {
      INTERNAL_ERROR: {
        error: "The service failed unexpectedly. Report the trace id of this response",
      },
    },
  },
  Unavailable: {
    description: "The service is unavailable at the moment",
    examples: {
      SERVICE_UNAVAILABLE: {
        error: "The service is unavailable at the moment; try again in 5 seconds",
      },
    },
    headers: ["Retry-After"],
  },
} as const satisfies Record<string, ErrorResponse>;

type ErrorResponseName = keyof typeof ERROR_RESPONSES;

/** Returns the OpenAPI component of an error response. */
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

/** The name of the OpenAPI component for each error status. */
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

/** Returns the name of the component for an error status. Undefined for any other status. */
export const nameOfStatus = (status: number): string | undefined =>
  (NAME_OF as Readonly<Record<number, string>>)[status];

/**
 * The type of a reference to an error response. The type contains the schema of the body, so that
 * TypeScript checks the responses of handlers against their contract.
 */
interface ReferencedResponse {
  description: string;
  content: { "application/json": { schema: typeof errorBody } };
}

/** Returns a reference to an error response, for a route contract. */
export const errorRef = (name: ErrorResponseName) =>
  ({ $ref: `#/components/responses/${name}` }) as unknown as ReferencedResponse;

/** The error statuses that every route contract has. */
const ALWAYS = [429, 500, 503] as const;
type Always = (typeof ALWAYS)[number];

/**
 * Returns the error responses of a route contract: for the given statuses, and for those in
 * `ALWAYS`.
 */
export function errors<const S extends keyof typeof NAME_OF>(
  ...statuses: S[]
): Record<S | Always, ReferencedResponse> {
  const entries = [...statuses, ...ALWAYS].map((status) => [status, errorRef(NAME_OF[status])]);
  return Object.fromEntries(entries) as Record<S | Always, ReferencedResponse>;
}
