import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { Flag } from "../../../shared/api/types.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { useCan } from "../../../shared/session/current-session.tsx";
import { EditablePart } from "../EditablePart.tsx";
import type { OnDraft } from "../../../shared/flags/use-drafts.ts";
import { VariantList } from "./VariantList.tsx";
import { VariantsForm } from "./VariantsForm.tsx";

/**
 * The section of the flag page for the values that the flag can serve. Renders nothing for a boolean
 * flag, because its variants are always on and off.
 */
export function Variants({ flag, onDraft }: { flag: Flag; onDraft: OnDraft }) {
  const { t } = useTranslation();
  const canEdit = useCan("flag:write") && !flag.archived;
  const [isEditing, { open, close }] = useDisclosure(false);
  const [loads, setLoads] = useState(0);
  if (flag.valueType === "boolean") return null;
  return (
    <EditablePart
      id="variants"
      title={t("variants.title")}
      hint={t("variants.hint")}
      edit={t("variants.edit")}
      onEdit={canEdit ? open : undefined}
      isEditing={isEditing}
      form={
        <VariantsForm
          key={loads}
          flag={flag}
          onDraft={onDraft}
          onDone={close}
          onReload={() => setLoads(loads + 1)}
        />
      }
    >
      <VariantList flag={flag} />
    </EditablePart>
  );
}
