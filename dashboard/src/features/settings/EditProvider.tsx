import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { fieldsOf, groupRowsOf, NEW_FIELDS, toChange, toNew } from "./provider-fields.ts";
import { ProviderForm, type Submitted } from "./ProviderForm.tsx";
import { createProvider, type StoredProvider, updateProvider } from "./provider-requests.ts";

export function AddProvider({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { done } = useNotify();
  const create = useMutation({
    mutationFn: ({ fields, groups, check }: Submitted) =>
      createProvider({ ...toNew(fields, groups), check }),
  });
  return (
    <ProviderForm
      initialValues={NEW_FIELDS}
      initialGroups={() => []}
      confirm={t("identityProviders.add")}
      submit={async (submitted) => {
        const { name } = await create.mutateAsync(submitted);
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
  const save = useMutation({
    mutationFn: ({ fields, groups, check }: Submitted) =>
      updateProvider(edited, { ...toChange(fields, groups), check }),
  });
  return (
    <ProviderForm
      saved={edited}
      initialValues={fieldsOf(edited)}
      initialGroups={() => groupRowsOf(edited)}
      confirm={t("common.save")}
      submit={async (submitted) => {
        await save.mutateAsync(submitted);
        onClose();
        done(t("common.saved"));
      }}
      onCancel={onClose}
    />
  );
}
