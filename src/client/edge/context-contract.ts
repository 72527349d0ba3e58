import { z } from "@hono/zod-openapi";
import {
  MAX_CONTEXT_BYTES,
  MAX_CONTEXT_KEYS,
  MAX_CONTEXT_VALUE_LENGTH,
} from "./context-request.ts";

/** Describes the evaluation context in a request. `contextErrors` checks it. */
export const contextRequest = z.record(z.string(), z.unknown()).openapi({
  description:
    `The facts about the user by field name: at most ${MAX_CONTEXT_KEYS} fields, ` +
    `${MAX_CONTEXT_VALUE_LENGTH} characters in a value, and ${MAX_CONTEXT_BYTES} bytes of JSON`,
});
