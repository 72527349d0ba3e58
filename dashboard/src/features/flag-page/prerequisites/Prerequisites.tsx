import { useDisclosure } from "@mantine/hooks";
import { useState } from "react";
import type { FlagWithRelated } from "../../../shared/api/types.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { useCan } from "../../../shared/session/current-session.tsx";
import { EditablePart } from "../EditablePart.tsx";
import type { OnDraft } from "../../../shared/flags/use-drafts.ts";
import { PrerequisiteList } from "./PrerequisiteList.tsx";
import { PrerequisitesForm } from "./PrerequisitesForm.tsx";
import { RequiredBy } from "./RequiredBy.tsx";

/** The section of the flag page for the flags that the flag requires, and that require it. */
export function Prerequisites({ flag, onDraft }: { flag: FlagWithRelated; onDraft: OnDraft }) {
  const { t } = useTranslation();
  const canEdit = useCan("flag:write") && !flag.archived;
  const [isEditing, { open, close }] = useDisclosure(false);
  const [loads, setLoads] = useState(0);
  return (
    <EditablePart
      id="prerequisites"
      title={t("prerequisites.title")}
      hint={t("prerequisites.hint")}
      edit={t("prerequisites.edit")}
      onEdit={canEdit ? open : undefined}
      isEditing={isEditing}
      form={
        <PrerequisitesForm
          key={loads}
          flag={flag}
          onDraft={onDraft}
          onDone={close}
          onReload={() => setLoads(loads + 1)}
        />
      }
    >
      <PrerequisiteList flag={flag} />
      <RequiredBy flag={flag} />
    </EditablePart>
  );
}
