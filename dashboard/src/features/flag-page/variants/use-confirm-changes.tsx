import type { Flag, Variant } from "../../../shared/api/types.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { useConfirm } from "../../../shared/ui/use-confirm.tsx";

/** Asks for confirmation if new variants change what SDKs get. Resolves to whether to save. */
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

/** The changes of a flag's variants that change what SDKs get. */
interface ServedChanges {
  /** The keys of the variants whose value changes. */
  readonly changed: readonly string[];
  readonly removed: readonly string[];
  readonly isOffChanged: boolean;
}

/** Leaves out new variants, because no rule serves them yet. */
function servedChanges(
  flag: Pick<Flag, "variants" | "offVariant">,
  variants: readonly Variant[],
  offVariant: string | null,
): ServedChanges {
  const next = new Map(variants.map(({ key, value }) => [key, JSON.stringify(value)]));
  const changed: string[] = [];
  const removed: string[] = [];
  for (const { key, value } of flag.variants) {
    const now = next.get(key);
    if (now === undefined) removed.push(key);
    else if (now !== JSON.stringify(value)) changed.push(key);
  }
  return { changed, removed, isOffChanged: offVariant !== flag.offVariant };
}
