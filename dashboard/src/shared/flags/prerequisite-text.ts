import type { Prerequisite } from "@feature-flags/evaluation/rule";
import type { Formats } from "../i18n/formats.ts";
import type { Translate } from "../i18n/translate.ts";

type Format = Pick<Formats, "either">;

/** Such as `“Checkout” serves blue or green`. `flag`: the name of the required flag. */
export function prerequisiteText(
  t: Translate,
  format: Format,
  { enabled = true, variants }: Prerequisite,
  flag: string,
): string {
  if (variants === undefined)
    return t(enabled ? "flags.prerequisite.on" : "flags.prerequisite.off", { flag });
  return t(enabled ? "flags.prerequisite.serves" : "flags.prerequisite.offAndServes", {
    flag,
    variants: format.either(variants),
  });
}
