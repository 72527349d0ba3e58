import type { FlagReport } from "@feature-flags/convert/report";
import type { ReasonCode } from "@feature-flags/convert/words";

/** The reasons that concern only values in an unusual form, such as " 18", "" or "v1.2.0". */
const FORMS: ReadonlySet<ReasonCode> = new Set([
  "otherDates",
  "otherTypes",
  "otherVersions",
  // The flag that is required is compared, too.
  "changedRequirement",
]);

export const isExact = ({ result }: FlagReport): boolean => result === "exact";

/** Whether a flag gives the same result to all contexts whose values have a usual form. */
export const isExactInUsualForms = ({ result, reasons }: FlagReport): boolean =>
  result !== "refused" && reasons.every(({ code }) => FORMS.has(code));

/** Texts that services read differently as numbers, versions, booleans or times. */
export const UNUSUAL_TEXTS = [
  ["", " ", " 18", "18 ", "18", "0x12", "1e1", ".5", "+5", "Infinity", "-0", "true", " true"],
  ["1", "1.1", "v1.1.1", "V1.1.1", " 1.1.1 ", "=1.1.1", "1.1.1.1", "2.0", "01.1.1", "1.1.1+b"],
  ["2026-05-01", "2026-05-01T00:00", "2026-05-01T00:00:00", " 2026-05-01T00:00:00Z", "de "],
].flat();
