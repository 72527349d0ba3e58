import { TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { send } from "../../shared/api/request.ts";
import { etag } from "../../shared/api/response.ts";
import { conflictToFieldError } from "../../shared/api/reword-error.ts";
import type { ContextDefinition, ContextValue } from "../../shared/api/types.ts";
import { validateConstraint } from "../../shared/constraints/validate-constraints.ts";
import type { Translate } from "../../shared/i18n/translate.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { DescriptionInput } from "../../shared/ui/DescriptionInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";

interface Props {
  onClose: () => void;
  definition: ContextDefinition;
  /** The known value to edit. Undefined if the form adds a new one. */
  value?: ContextValue | undefined;
}

export function ValueForm({ onClose, definition, value: edited }: Props) {
  const { t } = useTranslation();
  const save = useMutation({
    mutationFn: ({ value, description }: { value: string; description: string }) => {
      const body = { value, description: description === "" ? null : description };
      if (!edited) {
        const path = { definitionId: definition.id };
        return send("post", "/api/v1/contexts/{definitionId}/values", { path, body });
      }
      const path = { valueId: edited.id };
      const header = { "If-Match": etag(edited.version) };
      return send("put", "/api/v1/contexts/values/{valueId}", { path, header, body });
    },
  });
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { value: edited?.value ?? "", description: edited?.description ?? "" },
      validate: {
        value: (value) =>
          value === "" ? t("common.required") : (valueErrors(t, definition, [value])[0] ?? null),
      },
    },
    submit: async (values) => {
      await conflictToFieldError(save.mutateAsync(values), "value", t("contexts.valueTaken"));
      onClose();
    },
  });
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <TextInput
        label={t("contexts.value")}
        maxLength={512}
        required
        spellCheck={false}
        autoCapitalize="off"
        data-autofocus
        {...form.getInputProps("value")}
      />
      <DescriptionInput minRows={1} maxRows={6} {...form.getInputProps("description")} />
      <FormActions
        onCancel={onClose}
        pending={pending}
        submit={t(edited ? "common.save" : "contexts.addValue")}
      />
    </ServerForm>
  );
}

/**
 * Returns an error message for each value that cannot be parsed as the type of the context
 * definition. Like the service, it validates each value as the operand of an `equals` constraint.
 */
export function valueErrors(
  t: Translate,
  { contextKey, contextType }: Pick<ContextDefinition, "contextKey" | "contextType">,
  values: readonly string[],
): string[] {
  if (values.length === 0) return [];
  return Object.values(
    validateConstraint(t, {
      field: contextKey,
      operator: "equals",
      values: [...values],
      contextType,
    }),
  );
}
