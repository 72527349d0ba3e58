import type { Activation } from "@feature-flags/evaluation/rule";
import { z } from "@hono/zod-openapi";
import { constraintResponse, EXAMPLE_CONSTRAINT } from "../../http/constraint-schema.ts";

// The description of the rules as SDKs fetch them. `toClientRule` of packages/evaluation makes the
// rules, and leaves out fields with their default value.

/** Has `items` besides `prefixItems`, because tools do not know an array without `items`. */
const SLOT = z
  .tuple([z.int(), z.int(), z.string()])
  .openapi({ items: {}, minItems: 3, maxItems: 3 });

const FIELDS = {
  rollOut: z
    .int()
    .min(0)
    .max(100)
    .openapi({
      description:
        "The percentage; whole per cents only. 0 if the last rule serves the variant with which the flag " +
        "is not enabled, so that an SDK that knows no variants does not have the flag on",
    }),
  constraints: z.array(constraintResponse),
  segments: z.array(z.object({ name: z.string(), constraints: z.array(constraintResponse) })),
  stickiness: z.string().optional(),
  exactRollOut: z.number().min(0).max(100).optional().openapi({
    description:
      "The percentage with up to three decimals. Replaces `rollOut`, which is the default",
  }),
  hashKey: z.string().optional().openapi({
    description: "Replaces the flag key in the hash of the roll-out",
  }),
  serve: z.string().optional().openapi({
    description: "The variant to serve; `on` by default for a boolean flag",
  }),
  slots: z
    .array(SLOT)
    .optional()
    .openapi({
      description:
        "Replaces `serve`: a weighted split. `[start, end, variant]` has the positions from `start` " +
        "up to, but not including, `end`. The slots cover the positions 0 to 99,999.",
    }),
  splitKey: z.string().optional().openapi({
    description: "Replaces the flag key in the hash of the split",
  }),
  splitStickiness: z.string().optional().openapi({
    description: "The context field that the split hashes; that of the roll-out by default",
  }),
} satisfies Record<keyof Activation, z.ZodType>;
const activationFields = z.object(FIELDS);

const activation = activationFields.openapi("Activation");
const orderedRule = activationFields.extend({ id: z.string() }).openapi("OrderedRule");

const clientRule = z
  .object({
    key: z.string(),
    name: z.string(),
    enabled: z.boolean(),
    archived: z.literal(true).optional(),
    activation: activation.openapi({ description: "The last rule" }),
    type: z.enum(["string", "number", "json"]).optional().openapi({
      description: "The type of the values; boolean by default",
    }),
    variants: z.record(z.string(), z.unknown()).optional().openapi({
      description: "The values by variant key; `on` (true) and `off` (false) for a boolean flag",
    }),
    offVariant: z
      .string()
      .nullable()
      .optional()
      .openapi({
        description:
          "The variant to serve when the flag is off or no rule decides. Null: none. By default " +
          "`off` for a boolean flag, and null for others.",
      }),
    rules: z.array(orderedRule).optional().openapi({
      description: "The rules to try in order before `activation`; the first that fits decides",
    }),
    prerequisites: z
      .array(
        z.object({
          flagKey: z.string(),
          enabled: z.literal(false).optional(),
          variants: z.array(z.string()).optional(),
        }),
      )
      .optional()
      .openapi({
        description:
          "The other flags on which this flag depends. Each must have the verdict `enabled` " +
          "(true by default), and serve one of `variants` if there are any.",
      }),
    clients: z.literal("server").optional().openapi({
      description: "Which clients get the flag: `server` hides it from browsers. All by default",
    }),
  })
  .openapi("ClientRule");

const EXAMPLE_ACTIVATION = {
  rollOut: 50,
  constraints: [EXAMPLE_CONSTRAINT],
  segments: [{ name: "Germany and France", constraints: [EXAMPLE_CONSTRAINT] }],
};
const NARROW_FIRST = [
  [0, 75_000, "narrow"],
  [75_000, 100_000, "wide"],
];

/** The schema of the rules in a response. The example has a boolean flag and a flag with values. */
export const clientRules = z.array(clientRule).openapi({
  example: [
    { key: "new-checkout", name: "New checkout", enabled: true, activation: EXAMPLE_ACTIVATION },
    {
      key: "checkout-layout",
      name: "Checkout layout",
      enabled: true,
      activation: { ...EXAMPLE_ACTIVATION, exactRollOut: 50.5, slots: NARROW_FIRST },
      type: "json",
      variants: { narrow: { columns: 1 }, wide: { columns: 3 } },
      offVariant: "narrow",
      rules: [
        {
          id: "k3v9x2ab",
          rollOut: 100,
          constraints: [EXAMPLE_CONSTRAINT],
          segments: [],
          serve: "wide",
        },
      ],
      prerequisites: [{ flagKey: "new-checkout" }],
    },
  ],
});
