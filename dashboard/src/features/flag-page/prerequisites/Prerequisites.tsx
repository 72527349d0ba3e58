import type { FlagWithRelated } from "../../../shared/api/types.ts";
import type { OnDraft } from "../../../shared/flags/use-drafts.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { EditablePart } from "../EditablePart.tsx";
import { PrerequisiteList } from "./PrerequisiteList.tsx";
import { PrerequisitesForm } from "./PrerequisitesForm.tsx";
import { RequiredBy } from "./RequiredBy.tsx";

/** The section of the flag page for the flags that the flag requires, and that require it. */
export function Prerequisites({ flag, onDraft }: { flag: FlagWithRelated; onDraft: OnDraft }) {
  const { t } = useTranslation();
  return (
    <EditablePart
      flag={flag}
      id="prerequisites"
      title={t("prerequisites.title")}
      hint={t("prerequisites.hint")}
      edit={t("prerequisites.edit")}
      renderForm={(handlers) => <PrerequisitesForm flag={flag} onDraft={onDraft} {...handlers} />}
    >
      <PrerequisiteList flag={flag} />
      <RequiredBy flag={flag} />
    </EditablePart>
  );
}
