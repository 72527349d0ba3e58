import { randomId } from "@mantine/hooks";
import type { Prerequisite } from "../../../shared/api/types.ts";
import type { Translate } from "../../../shared/i18n/translate.ts";
import type { Row } from "../../../shared/rows/use-rows.ts";

export interface PrerequisiteInput extends Row {
  /** The key of the required flag. Empty until the user has chosen one. */
  readonly flagKey: string;
  readonly enabled: boolean;
  /** The keys of the variants, one of which the flag must serve. Empty: any. */
  readonly variants: readonly string[];
}

export const newPrerequisiteInput = (
  { flagKey, enabled, variants = [] }: Prerequisite = { flagKey: "", enabled: true },
): PrerequisiteInput => ({ id: randomId(), flagKey, enabled, variants, errors: {} });

export const toPrerequisites = (inputs: readonly PrerequisiteInput[]): Prerequisite[] =>
  inputs.map(({ flagKey, enabled, variants }) => ({
    flagKey,
    enabled,
    ...(variants.length > 0 && { variants: [...variants] }),
  }));

/** Returns the inputs with the errors that need no request to the API. */
export const checkPrerequisites = (
  t: Translate,
  inputs: readonly PrerequisiteInput[],
): PrerequisiteInput[] =>
  inputs.map((input) => ({
    ...input,
    errors: input.flagKey === "" ? { flagKey: t("common.required") } : {},
  }));
