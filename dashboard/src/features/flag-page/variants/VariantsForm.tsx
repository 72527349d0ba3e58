import { isObject } from "@feature-flags/file/json";
import { Select } from "@mantine/core";
import type { ReactNode } from "react";
import type { Flag } from "../../../shared/api/types.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { formatJson, parseJson } from "../../../shared/json/parse-json.ts";
import { useSchemaCheck } from "../../../shared/json/use-schema-check.ts";
import { useRows } from "../../../shared/rows/use-rows.ts";
import { FormActions } from "../../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../../shared/ui/ServerForm.tsx";
import { useNotify } from "../../../shared/ui/use-notify.tsx";
import { useLeaveGuard } from "../../../shared/use-leave-guard.ts";
import { useServerForm } from "../../../shared/use-server-form.ts";
import {
  checkVariants,
  isSameInputs,
  toInputs,
  toVariants,
  type VariantInput,
} from "../../../shared/variants/variant-input.ts";
import { VariantsEditor } from "../../../shared/variants/VariantsEditor.tsx";
import { ChangedMeanwhile } from "../ChangedMeanwhile.tsx";
import type { PartFormHandlers } from "../EditablePart.tsx";
import { type OnDraft, useReportDraft } from "../../../shared/flags/use-drafts.ts";
import { useBaseFlag } from "../../../shared/flags/use-base-flag.ts";
import { useUpdateFlag } from "../../../shared/flags/use-update-flag.ts";
import { useConfirmChanges } from "./use-confirm-changes.tsx";
import { ValueSchemaInput } from "./ValueSchemaInput.tsx";

interface Props extends PartFormHandlers {
  flag: Flag;
  onDraft: OnDraft;
}

const editedPart = ({ variants, offVariant, valueSchema }: Flag) => [
  variants,
  offVariant,
  valueSchema,
];

const schemaText = ({ valueSchema }: Flag): string =>
  valueSchema === null ? "" : formatJson(valueSchema);

const readSchema = (text: string): Flag["valueSchema"] =>
  text === "" ? null : (JSON.parse(text) as Record<string, unknown>);

export function VariantsForm({ flag, onDraft, onDone, onReload }: Props) {
  const { t } = useTranslation();
  const notify = useNotify();
  const isConfirmed = useConfirmChanges();
  const { base, isOutdated } = useBaseFlag(flag, editedPart);
  const update = useUpdateFlag(flag);
  const { rows, setRows, failures, submit } = useRows("variants", () => toInputs(flag));
  const isDirty = (schemaInput: string): boolean =>
    !isSameInputs(rows, toInputs(base)) || schemaInput !== schemaText(base);
  const { form, pending, error, onSubmit } = useServerForm({
    form: {
      initialValues: { valueSchema: schemaText(flag), offVariant: null },
      validate: {
        valueSchema: (text) =>
          text === "" || isObject(parseJson(text).value) ? null : t("variants.schemaRule"),
      },
    },
    submit: async ({ valueSchema }) => {
      if (!isDirty(valueSchema)) return onDone();
      const checked = checkVariants(t, flag.valueType, rows);
      await submit(checked, async () => {
        const variants = toVariants(flag.valueType, checked);
        const offVariant = checked.find(({ isOff }) => isOff)?.key ?? null;
        if (!(await isConfirmed(base, variants, offVariant))) return;
        const change = { variants, offVariant, valueSchema: readSchema(valueSchema) };
        const saved = await update({ version: base.version, body: change });
        if (saved) notify.done(t("variants.saved"));
        onDone();
      });
    },
  });
  const schema = form.values.valueSchema;
  const check = useSchemaCheck(schema);
  useLeaveGuard(isDirty(schema));

  // Ignores a newer version while this form saves, because it is the form's own change.
  const isConflict = isOutdated && !pending;
  useReportDraft(onDraft, "variants", { isDirty: isDirty(schema), isOutdated: isConflict });

  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={isConflict ? undefined : error}>
      {isConflict && (
        <ChangedMeanwhile load={t("variants.loadSaved")} onLoad={onReload}>
          {t("variants.conflict")}
        </ChangedMeanwhile>
      )}
      <VariantsEditor
        type={flag.valueType}
        value={rows}
        onChange={setRows}
        withDescriptions
        check={check}
        failures={failures}
      />
      <OffVariantSelect inputs={rows} onChange={setRows} error={form.errors["offVariant"]} />
      <ValueSchemaInput
        type={flag.valueType}
        value={schema}
        onChange={(text) => form.setFieldValue("valueSchema", text)}
        error={form.errors["valueSchema"]}
      />
      <FormActions onCancel={onDone} pending={pending} submit={t("common.save")} />
    </ServerForm>
  );
}

const NONE = "none";

interface OffVariantSelectProps {
  inputs: readonly VariantInput[];
  onChange: (inputs: VariantInput[]) => void;
  error: ReactNode;
}

/** An input for the variant that SDKs get while the flag is off. */
function OffVariantSelect({ inputs, onChange, error }: OffVariantSelectProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t("variants.off")}
      description={t("variants.offHint")}
      data={[
        { value: NONE, label: t("variants.offNone") },
        ...inputs.filter(({ key }) => key !== "").map(({ id, key }) => ({ value: id, label: key })),
      ]}
      value={inputs.find(({ isOff, key }) => isOff && key !== "")?.id ?? NONE}
      onChange={(chosen) =>
        onChange(inputs.map((input) => ({ ...input, isOff: input.id === chosen })))
      }
      allowDeselect={false}
      error={error}
    />
  );
}
