import { Select, TextInput } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { conflictToFieldError } from "../../shared/api/reword-error.ts";
import { send } from "../../shared/api/request.ts";
import type { ContextDefinition, Schemas } from "../../shared/api/types.ts";
import { typeOptions } from "../../shared/constraints/type-text.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

interface Props {
  onClose: () => void;
  /** The context definition to edit. Undefined if the form creates a new one. */
  definition?: ContextDefinition | undefined;
}

export function ContextForm({ onClose, definition }: Props) {
  const { t } = useTranslation();
  const { done } = useNotify();
  // The version when the form opened. If another user has saved the context definition since then,
  // the API rejects the save (412).
  const [edited] = useState(definition);
  const save = useSaveContext(edited);
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: {
        name: definition?.name ?? "",
        contextKey: definition?.contextKey ?? "",
        contextType: definition?.contextType ?? "string",
      },
      validate: {
        name: isNotEmpty(t("common.required")),
        contextKey: isNotEmpty(t("common.required")),
      },
    },
    submit: async (values) => {
      // For an existing context definition, a conflict (409) is always about the type, because the
      // key cannot change. For a new context definition, a conflict is about the key.
      await (definition
        ? conflictToFieldError(save.mutateAsync(values), "contextType", t("contexts.typeConflict"))
        : conflictToFieldError(save.mutateAsync(values), "contextKey", t("contexts.keyTaken")));
      done(t("contexts.saved", values));
      onClose();
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput description={t("contexts.nameHint")} {...form.getInputProps("name")} />
      {!definition && (
        <TextInput
          label={t("contexts.key")}
          description={t("contexts.keyHint")}
          maxLength={200}
          required
          spellCheck={false}
          autoCapitalize="off"
          {...form.getInputProps("contextKey")}
        />
      )}
      <Select
        label={t("contexts.type")}
        description={t("contexts.typeHint")}
        data={typeOptions(t, definition?.contextType)}
        allowDeselect={false}
        required
        {...form.getInputProps("contextType")}
      />
      <FormActions
        onCancel={onClose}
        pending={pending}
        submit={t(definition ? "common.save" : "contexts.create")}
      />
    </ServerForm>
  );
}

type Values = Pick<ContextDefinition, "name" | "contextKey" | "contextType">;

function useSaveContext(definition: ContextDefinition | undefined) {
  const projectId = useProjectId();
  return useMutation({
    mutationFn: (values: Values) => {
      // The cast is needed because a context definition may have a type that this dashboard does
      // not know. The service validates the type.
      const body = values as Schemas["CreateContext"];
      if (!definition) return send("post", "/api/v1/contexts", { body: { ...body, projectId } });
      const { id: definitionId, version } = definition;
      return send("put", "/api/v1/contexts/{definitionId}", {
        path: { definitionId },
        ifMatch: version,
        body,
      });
    },
  });
}
