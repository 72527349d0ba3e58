import { z } from "@hono/zod-openapi";
import type { FlagPrerequisite } from "../../core/flags/prerequisites.ts";
import { MAX_VARIANTS, VALUE_TYPES, VARIANT_KEY } from "../../core/flags/variants.ts";
import { readableText } from "../../http/schema.ts";

/** The schemas of the fields that say which values a flag has, and which other flags it requires. */

/** The limits of a request (docs/use/api.md, Limits). */
const MAX_DESCRIPTION_LENGTH = 200;
const MAX_PREREQUISITES = 10;
const MAX_FLAG_KEY_LENGTH = 128;

export const EXAMPLE_VARIANT = { key: "blue", value: "#1971c2", description: "As today" };
export const EXAMPLE_PREREQUISITE = { flagKey: "new-shop", enabled: true, variants: ["small"] };

export const valueType = z.enum(VALUE_TYPES).openapi({
  description: "The type of the values; `boolean` by default. It cannot be changed",
});

const anyValue = z
  .unknown()
  .refine((value): boolean => value !== undefined, "is required")
  .openapi({ description: "A JSON value of the flag's `valueType`" });

const valueSchema = z
  .record(z.string(), z.unknown())
  .nullable()
  .openapi({
    description:
      "A JSON Schema (2020-12) that every value matches; null: none. It has a subset of the keywords, " +
      "and names of at most 200 characters in `properties` and `$defs`",
  });

const offVariant = z
  .string()
  .nullable()
  .openapi({
    description:
      "The key of the variant that is served when the flag is off or no rule decides; null: none, so " +
      "clients use their own default",
  });

export const responseFields = {
  valueType,
  variants: z
    .array(
      z
        .object({ key: z.string(), value: anyValue, description: z.string().optional() })
        .openapi("Variant", { example: EXAMPLE_VARIANT }),
    )
    .readonly(),
  offVariant,
  valueSchema,
  prerequisites: z.array(
    z
      .object({
        flagKey: z.string(),
        enabled: z.boolean(),
        variants: z.array(z.string()).readonly().optional(),
      })
      .openapi("Prerequisite", { example: EXAMPLE_PREREQUISITE }),
  ),
};

const variantKey = z
  .string()
  .regex(VARIANT_KEY, "must have 1 to 64 characters: letters, digits, and . _ -");

/** The fields in a request, besides `valueType`. An omitted field keeps its value. */
export const requestFields = {
  variants: z
    .array(
      z
        .object({
          key: variantKey,
          value: anyValue,
          description: readableText(MAX_DESCRIPTION_LENGTH).optional(),
        })
        .openapi("NewVariant", { example: EXAMPLE_VARIANT }),
    )
    .min(1)
    .max(MAX_VARIANTS, `must have at most ${MAX_VARIANTS} variants`)
    .optional()
    .openapi({
      description:
        "The variants. A boolean flag always has `on` (true) and `off` (false); another flag needs at least one",
    }),
  offVariant: offVariant.optional(),
  valueSchema: valueSchema.optional(),
  prerequisites: z
    .array(
      z
        .object({
          flagKey: z.string().min(1).max(MAX_FLAG_KEY_LENGTH),
          enabled: z.boolean().optional().openapi({ description: "Default: true" }),
          variants: z.array(z.string()).min(1).optional(),
        })
        .transform(({ enabled = true, ...rest }): FlagPrerequisite => ({ ...rest, enabled }))
        .openapi("NewPrerequisite", { example: EXAMPLE_PREREQUISITE }),
    )
    .max(MAX_PREREQUISITES, `must have at most ${MAX_PREREQUISITES} prerequisites`)
    .optional()
    .openapi({
      description:
        "The other flags of the project that this flag requires. The flag is off unless all of them hold",
    }),
};
