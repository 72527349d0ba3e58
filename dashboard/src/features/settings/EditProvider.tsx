import { useState } from "react";
import { useWrite } from "../../shared/api/request.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { fieldsOf, groupRowsOf, NEW_FIELDS, toChange, toNew } from "./provider-fields.ts";
import { ProviderForm } from "./ProviderForm.tsx";
import { type StoredProvider, target } from "./provider-requests.ts";

export function AddProvider({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const create = useWrite("post", "/api/v1/settings/identity-providers");
  return (
    <ProviderForm
      initialValues={NEW_FIELDS}
      initialGroups={() => []}
      confirm={t("identityProviders.add")}
      submit={async ({ fields, groups, check }) => {
        const { name } = await create.mutateAsync({ body: { ...toNew(fields, groups), check } });
        onClose();
        done(t("identityProviders.added", { name }));
      }}
      onCancel={onClose}
    />
  );
}

interface EditProps {
  provider: StoredProvider;
  onClose: () => void;
}

/** Edits the version at opening: if somebody else has saved since then, the API returns 412. */
export function EditProvider({ provider, onClose }: EditProps) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const [edited] = useState(provider);
  const save = useWrite("put", "/api/v1/settings/identity-providers/{id}");
  return (
    <ProviderForm
      saved={edited}
      initialValues={fieldsOf(edited)}
      initialGroups={() => groupRowsOf(edited)}
      confirm={t("common.save")}
      submit={async ({ fields, groups, check }) => {
        await save.mutateAsync({
          ...target(edited),
          body: { ...toChange(fields, groups), check },
        });
        onClose();
        done(t("common.saved"));
      }}
      onCancel={onClose}
    />
  );
}
