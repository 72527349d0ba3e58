import type { Flag } from "../../../shared/api/types.ts";
import type { OnDraft } from "../../../shared/flags/use-drafts.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { EditablePart } from "../EditablePart.tsx";
import { VariantList } from "./VariantList.tsx";
import { VariantsForm } from "./VariantsForm.tsx";

/**
 * The section of the flag page for the values that the flag can serve. Renders nothing for a boolean
 * flag, because its variants are always on and off.
 */
export function Variants({ flag, onDraft }: { flag: Flag; onDraft: OnDraft }) {
  const { t } = useTranslation();
  if (flag.valueType === "boolean") return null;
  return (
    <EditablePart
      flag={flag}
      id="variants"
      title={t("variants.title")}
      hint={t("variants.hint")}
      edit={t("variants.edit")}
      renderForm={(handlers) => <VariantsForm flag={flag} onDraft={onDraft} {...handlers} />}
    >
      <VariantList flag={flag} />
    </EditablePart>
  );
}
