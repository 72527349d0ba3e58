import { z } from "@hono/zod-openapi";
import { isObject } from "../../core/lib/is-object.ts";
import { EVENT_TYPES } from "../../db/outbox.ts";
import { isSecret, SECRET_MASK, VALUE_MASK } from "./config.ts";

/**
 * The maximum length of `configJson` in characters: enough for the longest URL, 20 headers and a
 * signing secret.
 */
const MAX_CONFIG_LENGTH = 30_000;
const MAX_EVENTS_LENGTH = 1_000;

const MAX_HEADERS = 20;
const MAX_NAME_LENGTH = 100;

/** The syntax of an HTTP header name, called `token` in RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/**
 * The syntax of an HTTP header value: 1 to 1,000 visible ASCII characters or spaces, with no space
 * at the start or end. RFC 9110 section 5.5 also allows tabs and other bytes.
 */
const FIELD_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,998}[\x21-\x7e])?$/;

/**
 * The names of HTTP headers that an integration cannot set, because HTTP (RFC 9110 section 7.6.1),
 * Standard Webhooks, Cloudflare or tracing sets them.
 */
const RESERVED =
  /^(?:(?:webhook|content|proxy|cf|x-b3|sec)-.*|host|connection|transfer-encoding|te|trailer|upgrade|keep-alive|expect|user-agent|date|via|cdn-loop|accept-encoding|traceparent|tracestate|b3)$/i;

/**
 * Returns the schema of a string field that contains JSON. The field is parsed and validated with
 * `content`, and validation errors name the path inside the JSON.
 */
const jsonText = <T extends z.ZodType>(maxLength: number, content: T) =>
  z
    .string()
    .max(maxLength, `must have at most ${maxLength} characters`)
    .transform((text, ctx): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        ctx.addIssue({ code: "custom", message: "must be JSON text" });
        return z.NEVER;
      }
    })
    .pipe(content);

const headers = (acceptsMask: boolean) =>
  z
    .custom<Readonly<Record<string, string>>>(
      isObject,
      "must be an object that maps header names to values",
    )
    .superRefine((given, ctx) => {
      const entries = Object.entries<unknown>(given);
      if (entries.length > MAX_HEADERS)
        return ctx.addIssue({
          code: "custom",
          message: `must have at most ${MAX_HEADERS} headers`,
        });
      const names = new Set<string>();
      for (const [name, value] of entries) {
        const message = errorInName(name, names) ?? errorInValue(value, acceptsMask);
        if (message !== undefined) ctx.addIssue({ code: "custom", path: [name], message });
        names.add(name.toLowerCase());
      }
    });

function errorInName(name: string, before: ReadonlySet<string>): string | undefined {
  if (!TOKEN.test(name) || name.length > MAX_NAME_LENGTH)
    return `must be a header name of at most ${MAX_NAME_LENGTH} characters`;
  if (RESERVED.test(name)) return "is set by the service or the network; remove it";
  return before.has(name.toLowerCase())
    ? "must not occur twice; header names are case-insensitive"
    : undefined;
}

function errorInValue(value: unknown, acceptsMask: boolean): string | undefined {
  if (typeof value !== "string" || !FIELD_VALUE.test(value))
    return "must be 1 to 1000 visible ASCII characters, with spaces only between them";
  return value === VALUE_MASK && !acceptsMask ? "must be the real value, not the mask" : undefined;
}

const secret = (acceptsMask: boolean) =>
  z
    .string()
    .refine(
      (text) => isSecret(text) || (acceptsMask && text === SECRET_MASK),
      "must be whsec_ and 24 to 64 bytes in base64",
    );

/**
 * The schema of a webhook's URL. `routes.ts` checks with `webhookUrlError` whether the service may
 * call the URL, because that depends on a setting.
 */
const url = z.string().refine((text) => text.isWellFormed(), "must be well-formed Unicode");

const config = (acceptsMask: boolean) =>
  jsonText(
    MAX_CONFIG_LENGTH,
    z.object({
      url,
      secret: secret(acceptsMask).optional(),
      headers: headers(acceptsMask).optional(),
    }),
  );

const DESCRIPTION =
  "JSON text with `url`, and optionally `secret` (`whsec_` followed by 24 to 64 bytes in base64; " +
  "generated if omitted) and `headers` (an object with at most 20 headers)";

/** The schema of the field `configJson` in the request that creates an integration. */
export const newConfig = config(false).openapi({
  type: "string",
  maxLength: MAX_CONFIG_LENGTH,
  description: DESCRIPTION,
});

/**
 * The schema of the field `configJson` in an update of an integration. If the update contains a
 * mask such as `********` instead of a secret value, the stored value stays.
 */
export const changedConfig = config(true).openapi({
  type: "string",
  maxLength: MAX_CONFIG_LENGTH,
  description: `${DESCRIPTION}. Masked values keep the stored values, and so do an omitted secret and omitted headers, unless the host of the URL changes.`,
});

/** The name of an event to which an integration can subscribe. */
export const eventType = z.enum(EVENT_TYPES).openapi("EventType", {
  description: "An event to which an integration can subscribe",
});

export const eventSubscriptions = jsonText(MAX_EVENTS_LENGTH, z.array(eventType))
  .transform((events) => [...new Set(events)])
  .openapi({
    type: "string",
    maxLength: MAX_EVENTS_LENGTH,
    description: "JSON text: an array of event names (`EventType`)",
  });

const withUrl = z.object({ configJson: jsonText(MAX_CONFIG_LENGTH, z.object({ url })) });

/** Returns the webhook URL in a request body. Undefined if the body contains no valid URL. */
export const urlIn = (body: unknown): string | undefined =>
  withUrl.safeParse(body).data?.configJson.url;
