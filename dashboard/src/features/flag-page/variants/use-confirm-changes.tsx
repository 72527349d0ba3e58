import type { Flag, Variant } from "../../../shared/api/types.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { useConfirm } from "../../../shared/ui/use-confirm.tsx";
import { servedChanges } from "./changes.ts";

/**
 * Returns a function that asks for confirmation if new variants change what SDKs get, and resolves
 * to whether the variants may be saved.
 */
export function useConfirmChanges() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  return async (
    flag: Flag,
    variants: readonly Variant[],
    offVariant: string | null,
  ): Promise<boolean> => {
    const { changed, removed, isOffChanged } = servedChanges(flag, variants, offVariant);
    const lines = [
      ...changed.map((variant) => t("variants.changeValue", { variant })),
      ...removed.map((variant) => t("variants.changeRemove", { variant })),
    ];
    if (isOffChanged)
      lines.push(
        offVariant === null
          ? t("variants.changeOffNone")
          : t("variants.changeOff", { variant: offVariant }),
      );
    if (lines.length === 0) return true;
    return confirm({
      title: t("variants.confirmTitle"),
      children: (
        <>
          {t("variants.confirmText")}
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      ),
      confirm: t("common.save"),
    });
  };
}
