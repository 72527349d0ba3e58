import { z } from "@hono/zod-openapi";
import { EVENT_TYPES } from "../../db/outbox.ts";
import { isSecret, SECRET_MASK, VALUE_MASK } from "./config.ts";

/** Room for the longest URL, for 20 headers, and for a secret. */
const MAX_CONFIG_LENGTH = 30_000;
const MAX_EVENTS_LENGTH = 1_000;

const MAX_HEADERS = 20;
const MAX_NAME_LENGTH = 100;

/** RFC 9110 section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** RFC 9110 section 5.5, as far as it is ASCII: no space at either end. */
const FIELD_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]{0,998}[\x21-\x7e])?$/;

/** What the service or the network sets: RFC 9110 section 7.6.1, Standard Webhooks, Cloudflare, tracing. */
const RESERVED =
  /^(?:(?:webhook|content|proxy|cf|x-b3|sec)-.*|host|connection|transfer-encoding|te|trailer|upgrade|keep-alive|expect|user-agent|date|via|cdn-loop|accept-encoding|traceparent|tracestate|b3)$/i;

/** JSON in a string; its faults are told by their path within. */
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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const headers = (isMaskTaken: boolean) =>
  z
    .custom<Readonly<Record<string, string>>>(isObject, "must be an object of names and values")
    .superRefine((given, ctx) => {
      const entries = Object.entries<unknown>(given);
      if (entries.length > MAX_HEADERS)
        return ctx.addIssue({ code: "custom", message: `must be at most ${MAX_HEADERS}` });
      const names = new Set<string>();
      for (const [name, value] of entries) {
        const message = faultOfName(name, names) ?? faultOfValue(value, isMaskTaken);
        if (message !== undefined) ctx.addIssue({ code: "custom", path: [name], message });
        names.add(name.toLowerCase());
      }
    });

function faultOfName(name: string, before: ReadonlySet<string>): string | undefined {
  if (!TOKEN.test(name) || name.length > MAX_NAME_LENGTH)
    return `is no header name of at most ${MAX_NAME_LENGTH} characters`;
  if (RESERVED.test(name)) return "is a header that the service sets itself";
  return before.has(name.toLowerCase()) ? "is there twice" : undefined;
}

function faultOfValue(value: unknown, isMaskTaken: boolean): string | undefined {
  if (typeof value !== "string" || !FIELD_VALUE.test(value))
    return "must be 1 to 1000 visible ASCII characters, with spaces only between them";
  return value === VALUE_MASK && !isMaskTaken ? "must not be the mask" : undefined;
}

const secret = (isMaskTaken: boolean) =>
  z
    .string()
    .refine(
      (text) => isSecret(text) || (isMaskTaken && text === SECRET_MASK),
      "must be whsec_ and 24 to 64 bytes in base64",
    );

/** Which URLs may be called is a setting: `webhookUrlError` finds that fault. */
const url = z.string().refine((text) => text.isWellFormed(), "must be well-formed Unicode");

const config = (isMaskTaken: boolean) =>
  jsonText(
    MAX_CONFIG_LENGTH,
    z.object({
      url,
      secret: secret(isMaskTaken).optional(),
      headers: headers(isMaskTaken).optional(),
    }),
  );

const DESCRIPTION =
  "JSON text with `url`, optionally `secret` (`whsec_` and 24 to 64 bytes in base64; made when left " +
  "out) and `headers` (at most 20, by name)";

/** The configuration of a new integration. */
export const newConfig = config(false).openapi({
  type: "string",
  maxLength: MAX_CONFIG_LENGTH,
  description: DESCRIPTION,
});

/** The same for a change, which may send back the masks of what stays. */
export const changedConfig = config(true).openapi({
  type: "string",
  maxLength: MAX_CONFIG_LENGTH,
  description: `${DESCRIPTION}. What is masked, and a secret or headers left out, stay as they were.`,
});

export const eventSubscriptions = jsonText(MAX_EVENTS_LENGTH, z.array(z.enum(EVENT_TYPES)))
  .transform((events) => [...new Set(events)])
  .openapi({
    type: "string",
    maxLength: MAX_EVENTS_LENGTH,
    description: `JSON text: an array of event names, ${EVENT_TYPES.map((type) => `\`${type}\``).join(", ")}`,
  });

const withUrl = z.object({ configJson: jsonText(MAX_CONFIG_LENGTH, z.object({ url })) });

/** The URL in a body that may be anything; undefined: there is none to judge. */
export const urlIn = (body: unknown): string | undefined =>
  withUrl.safeParse(body).data?.configJson.url;
