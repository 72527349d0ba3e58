import { useTranslation } from "react-i18next";
import { useFormat } from "../i18n/use-format.ts";
import type { FieldDisplay } from "./fields.tsx";

/**
 * Returns the functions that a strategy field needs to display its value in the language of the
 * page.
 */
export function useFieldDisplay(segmentName: (id: number) => string): FieldDisplay {
  const { t } = useTranslation();
  const { percent } = useFormat();
  return { t, percent, segmentName };
}
