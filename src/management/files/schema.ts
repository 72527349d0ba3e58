import { z } from "@hono/zod-openapi";
import type { FlagsFile } from "@feature-flags/file/file";
import { type FilePlan, PROTECTED_CHOICES } from "@feature-flags/file/plan";
import type { flagsSchema } from "@feature-flags/file/json-schema";
import { fieldsOf } from "@feature-flags/file/schema";
import { isObject } from "@feature-flags/file/json";
import { name, readableText, timestamp } from "../../http/schema.ts";

const EXAMPLE_FILE: FlagsFile = {
  version: 1,
  project: "Web shop",
  manager: "shop-repo",
  segments: {
    staff: { constraints: [{ field: "email", operator: "endsWith", values: ["@a.com"] }] },
  },
  flags: {
    "new-checkout": {
      name: "New checkout",
      flagType: "RELEASE",
      environments: { production: { enabled: true, percentage: 12.5, segments: ["staff"] } },
    },
  },
};

/** The schema of a file. `checkFile` checks its content, and names the places of errors. */
export const file = z.custom<FlagsFile>(isObject, "must be an object").openapi("FlagsFile", {
  type: "object",
  additionalProperties: true,
  description: "The flags of a project, as `GET /api/v1/schemas/flags-1.json` describes them",
  example: EXAMPLE_FILE,
});

const FIELDS = new Set(
  (["context", "tag", "segment", "flag", "strategy"] as const).flatMap((kind) =>
    Object.keys(fieldsOf(kind)),
  ),
);

export const exportQuery = z.object({
  manager: z
    .string()
    .optional()
    .openapi({
      description:
        "Whose file it is: fields that this manager owns are in the file also with their defaults. Default: the " +
        "only manager of the project",
    }),
  omit: z
    .string()
    .optional()
    .transform((names) => names?.split(",") ?? [])
    .refine((names) => names.every((one) => FIELDS.has(one)), "must be names of fields")
    .openapi({
      type: "string",
      description:
        "The fields that the file leaves to the dashboard, separated by commas, such as `percentage`",
      example: "percentage,enabled",
    }),
});

const MAX_POINTERS = 1000;

const planFields = {
  file,
  prune: z.boolean().default(false).openapi({
    description: "true: archive the flags of the file's manager that the file lacks",
  }),
  pruneLimit: z.int().min(0).optional().openapi({
    description: "The most flags that `prune` archives. Default: 10, and at most 20 % of its flags",
  }),
  overwrite: z
    .array(
      z.string().regex(/^(?:\/|$)/, "must be a JSON Pointer into the file, such as /flags/cart"),
    )
    .max(MAX_POINTERS, `must have at most ${MAX_POINTERS} paths`)
    .default([])
    .openapi({
      description:
        "The JSON Pointers of conflicts where the file wins. A pointer also stands for all below it",
    }),
  environments: z.array(name).min(1).max(50).optional().openapi({
    description: "The names of the only environments whose strategies change. Default: all",
  }),
  manage: z
    .boolean()
    .default(true)
    .openapi({
      description:
        "Whether the file manages the fields that it names from then on. false: an import, which changes no " +
        "owner; the `manager` of the file is ignored",
    }),
  protectedEnvironments: z
    .enum(PROTECTED_CHOICES)
    .optional()
    .openapi({
      description:
        "What an apply does in protected environments. `propose`: makes all changes that need no approval, with new " +
        "flags off there, and opens one change request for the others. `skip`: leaves the strategies there out. " +
        "Default: one change request for all changes, or 409 if the file creates flags that are on there",
    }),
};

const EXAMPLE_PLAN_REQUEST = { file: EXAMPLE_FILE, prune: true };

export const planRequest = z
  .object(planFields)
  .openapi("PlanFile", { example: EXAMPLE_PLAN_REQUEST });

const source = (what: string) =>
  readableText(500)
    .optional()
    .openapi({ description: `${what}, for the audit trail` });

export const applyRequest = z
  .object({
    ...planFields,
    repository: source("Where the file is kept"),
    commit: source("The commit of the file"),
  })
  .openapi("ApplyFile", {
    example: { ...EXAMPLE_PLAN_REQUEST, repository: "example/shop", commit: "1b2c3d4" },
  });

const path = z.string().openapi({ description: "A JSON Pointer into the file" });
const value = z.unknown();

const wayOut = z.object({
  applied: z.int().openapi({ description: "The operations that the apply makes at once" }),
  held: z.int().openapi({ description: "The operations that wait or are left out" }),
  problem: z
    .string()
    .nullable()
    .openapi({ description: "Why an apply cannot go this way. null: it can" }),
});

export const planResponse = z
  .object({
    id: z.string().openapi({
      description: "Identifies the changes. `If-Match` of the apply has it in double quotes",
    }),
    changes: z.array(
      z.object({
        path,
        before: value.optional().openapi({ description: "Absent for what is new" }),
        after: value,
        moves: z.number().min(0).max(1).nullable().openapi({
          description:
            "The share of ids that get another variant by all changes of the flag in the environment",
        }),
        flags: z.array(z.string()).optional().openapi({
          description: "The keys of the flags that use a changed segment",
        }),
      }),
    ),
    environments: z.array(
      z.object({
        name: z.string(),
        flags: z.int().openapi({ description: "The number of flags whose strategies change" }),
        maxMoves: z.number().min(0).max(1).nullable(),
        checks24h: z.int().openapi({
          description:
            "The sum of `moves` times the checks of the flag in the last 24 hours. Counts checks, not users",
        }),
      }),
    ),
    conflicts: z.array(
      z.object({
        path,
        current: value,
        wanted: value,
        manager: z.string().nullable().openapi({
          description: "The other manager of the field; null if it was changed since the apply",
        }),
        by: z.string().nullable().openapi({ description: "Who has changed the resource last" }),
        at: timestamp.nullable(),
      }),
    ),
    released: z.array(
      z.object({
        path,
        default: value.optional().openapi({ description: "The value that resets the field" }),
      }),
    ),
    warnings: z.array(z.object({ path, message: z.string() })),
    deliveries: z.int().openapi({ description: "The webhook deliveries that the apply creates" }),
    approval: z
      .object({
        environments: z.array(z.string()),
        propose: wayOut,
        skip: wayOut,
      })
      .nullable()
      .openapi({
        description:
          "The environments in which the changes need an approval, and what an apply would do with each value of " +
          "`protectedEnvironments`. null: no change needs one",
      }),
  })
  .openapi("FilePlan", {
    example: {
      id: "n4bQgYhMfWWaL-qgxVrQFaO_TxsrC4Is0V1sFbDwCgg",
      changes: [
        {
          path: "/flags/new-checkout/environments/production/percentage",
          before: 5,
          after: 12.5,
          moves: 0.075,
        },
      ],
      environments: [{ name: "production", flags: 1, maxMoves: 0.075, checks24h: 1200 }],
      conflicts: [],
      released: [],
      warnings: [],
      deliveries: 1,
      approval: {
        environments: ["production"],
        propose: { applied: 0, held: 1, problem: null },
        skip: { applied: 0, held: 1, problem: null },
      },
    },
  });

export const toPlanResponse = (plan: FilePlan) => ({
  id: plan.id,
  changes: plan.changes.map(({ flags, ...change }) => ({
    ...change,
    ...(flags && { flags: [...flags] }),
  })),
  environments: [...plan.environments],
  conflicts: [...plan.conflicts],
  released: [...plan.released],
  warnings: [...plan.warnings],
  deliveries: plan.deliveries,
  approval: plan.approval && { ...plan.approval, environments: [...plan.approval.environments] },
});

/** The schema of a JSON Schema in a response. */
export const jsonSchema = z.custom<ReturnType<typeof flagsSchema>>(isObject).openapi({
  type: "object",
  description: "A JSON Schema (2020-12)",
  example: { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" },
});
