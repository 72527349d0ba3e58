import { z } from "zod";

/** The inputs of operations, as change requests store them. The API has checked their values. */

/** The input of `flag.update` and `segment.update`. */
export const storedFields = z.record(z.string(), z.unknown());

/** The input of `flag.clone`. */
export const storedClone = z.object({
  key: z.string(),
  name: z.string(),
  keepState: z.boolean().default(false),
});

/** The input of `ramp.start`. */
export const storedRamp = z.object({
  ruleId: z.string().optional(),
  steps: z.array(z.object({ exactPercentage: z.number(), holdMinutes: z.number().nullable() })),
  minEvaluations: z.number().optional(),
});
