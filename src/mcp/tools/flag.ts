import { z } from "zod";
import type { FlagRow } from "../../model/flags/queries.ts";
import { toFlag } from "../../management/flags/schema.ts";

/** The input of every tool. */
export const projectInput = {
  project: z.int().min(1).optional().describe("Id. Required if the token reaches several projects"),
};

export const flagInput = z.string().min(1).max(128).describe("The key of the flag");
export const environmentInput = z.string().min(1).max(200).describe("The name of the environment");

/** What every tool that lists flags says about one. */
export const flagOutput = {
  key: z.string(),
  name: z.string(),
  type: z.string(),
  valueType: z.string(),
  archived: z.boolean(),
  stale: z.boolean(),
  updatedAt: z.string(),
};

export function toFlagOutput(row: FlagRow, now: number) {
  const { key, name, flagType: type, valueType, archived, stale, updatedAt } = toFlag(row, now);
  return { key, name, type, valueType, archived, stale, updatedAt };
}
