import { Input, TagsInput, Text, Radio, Stack, SegmentedControl } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import { useId } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useWrite } from "../../shared/api/request.ts";
import { conflictToFieldError } from "../../shared/api/reword-error.ts";
import type { Schemas, ValueType, Variant, Flag } from "../../shared/api/types.ts";
import { environmentsQuery, firstEnvironment } from "../../shared/data/environments.ts";
import { projectsQuery } from "../../shared/data/projects.ts";
import { tagsQuery } from "../../shared/data/project-lists.ts";
import { every } from "../../shared/every.ts";
import { FlagTypeBadge } from "../../shared/flags/FlagBadges.tsx";
import { ClientsInput } from "../../shared/flags/ClientsInput.tsx";
import { FlagKeyInput } from "../../shared/flags/FlagKeyInput.tsx";
import { FLAG_KEY } from "../../shared/flags/suggest-key.ts";
import { OwnersInput } from "../../shared/flags/OwnersInput.tsx";
import { useSuggestedKey } from "../../shared/flags/use-suggested-key.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useRows } from "../../shared/rows/use-rows.ts";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { DescriptionInput } from "../../shared/ui/DescriptionInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { checkVariants, newVariantInput, toVariants } from "../../shared/variants/variant-input.ts";
import { VariantsEditor } from "../../shared/variants/VariantsEditor.tsx";
import classes from "./CreateFlagModal.module.css";

interface Values extends Record<string, unknown> {
  name: string;
  key: string;
  flagType: Schemas["CreateFlag"]["flagType"];
  valueType: ValueType;
  description: string;
  tags: string[];
  /** Undefined: the default of the project. */
  clients: Flag["clients"] | undefined;
  ownerIds: number[];
}

const EMPTY: Values = {
  name: "",
  key: "",
  flagType: "RELEASE",
  valueType: "boolean",
  description: "",
  tags: [],
  clients: undefined,
  ownerIds: [],
};

interface Props {
  projectId: number;
  opened: boolean;
  onClose: () => void;
}

export function CreateFlagModal({ projectId, opened, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <FormModal title={t("flags.newFlag")} opened={opened} onClose={onClose} size="lg">
      <CreateFlagForm projectId={projectId} onClose={onClose} />
    </FormModal>
  );
}

function CreateFlagForm({ projectId, onClose }: Omit<Props, "opened">) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: tags = [] } = useQuery(tagsQuery(projectId));
  const { data: environments = [] } = useQuery(environmentsQuery(projectId));
  const { mutateAsync } = useWrite("post", "/api/v1/flags");
  const { data: projects } = useQuery(projectsQuery);
  const project = projects?.find(({ id }) => id === projectId);
  const variants = useRows("variants", () => [newVariantInput(), newVariantInput()]);
  const { form, pending, error, onSubmit } = useServerForm<Values>({
    form: {
      initialValues: EMPTY,
      validate: {
        name: isNotEmpty(t("common.required")),
        key: (key) => (FLAG_KEY.test(key) ? null : t("flagForms.keyRule")),
      },
    },
    submit: (values) => {
      const create = async (own?: Variant[]) => {
        const body = { ...toBody(values), projectId, ...(own && { variants: own }) };
        // A conflict (409) is always about the flag key, because no other field of a flag must be
        // unique.
        const { id } = await conflictToFieldError(
          mutateAsync({ body }),
          "key",
          t("flagForms.keyTaken"),
        );
        const environment = firstEnvironment(environments)?.id;
        await navigate({
          to: "/projects/$projectId/flags/$flagId",
          params: { projectId, flagId: id },
          search: environment === undefined ? {} : { environment },
        });
      };
      const { valueType } = values;
      if (valueType === "boolean") return create();
      const checked = checkVariants(t, valueType, variants.rows);
      return variants.submit(checked, () => create(toVariants(valueType, checked)));
    },
  });

  const { onName, onKey } = useSuggestedKey((key) => form.setFieldValue("key", key));

  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      <NameInput
        {...form.getInputProps("name")}
        onChange={({ currentTarget: { value } }) => {
          form.setFieldValue("name", value);
          onName(value);
        }}
      />
      <FlagKeyInput
        {...form.getInputProps("key")}
        onChange={({ currentTarget }) => onKey(currentTarget.value)}
      />
      <FlagTypeChoice
        value={form.values.flagType}
        onChange={(type) => form.setFieldValue("flagType", type)}
      />
      <ValueTypeChoice
        value={form.values.valueType}
        onChange={(type) => form.setFieldValue("valueType", type)}
      />
      {form.values.valueType !== "boolean" && (
        <Input.Wrapper
          label={t("variants.title")}
          description={t("variants.createHint")}
          labelElement="div"
        >
          <VariantsEditor
            type={form.values.valueType}
            value={variants.rows}
            onChange={variants.setRows}
            failures={variants.failures}
          />
        </Input.Wrapper>
      )}
      <ClientsInput
        label={t("clients.label")}
        value={form.values.clients ?? project?.newFlagClients ?? "all"}
        onChange={(clients) => form.setFieldValue("clients", clients)}
      />
      <DescriptionInput
        placeholder={t("flagForms.descriptionPlaceholder")}
        {...form.getInputProps("description")}
      />
      <TagsInput
        label={`${t("flags.tags")} (${t("common.optional")})`}
        description={t("flagForms.tagsHint")}
        data={tags.map(({ name }) => name)}
        maxTags={50}
        maxLength={200}
        maxDropdownHeight={200}
        clearable
        {...form.getInputProps("tags")}
      />
      <OwnersInput
        value={form.values.ownerIds}
        onChange={(ownerIds) => form.setFieldValue("ownerIds", ownerIds)}
        error={form.errors["ownerIds"]}
      />
      <Text size="sm" c="dimmed">
        {t("flagForms.createHint")}
      </Text>
      <FormActions onCancel={onClose} pending={pending} submit={t("flagForms.createFlag")} />
    </ServerForm>
  );
}

function toBody({ name, description, clients, ...fields }: Values) {
  const words = description.trim();
  return {
    ...fields,
    name: name.trim(),
    ...(words !== "" && { description: words }),
    ...(clients && { clients }),
  };
}

interface FlagTypeChoiceProps {
  value: Flag["flagType"];
  onChange: (type: Flag["flagType"]) => void;
}

/** Explains both types, because the type of a flag cannot be changed later. */
function FlagTypeChoice({ value, onChange }: FlagTypeChoiceProps) {
  const { t } = useTranslation();
  const choices = [
    { type: "RELEASE", hint: t("flagForms.releaseHint") },
    { type: "KILLSWITCH", hint: t("flagForms.killSwitchHint") },
  ] as const;
  return (
    <Radio.Group
      label={t("flags.type")}
      value={value}
      onChange={(chosen) => onChange(chosen === "KILLSWITCH" ? chosen : "RELEASE")}
    >
      <Stack gap="xs" mt={4}>
        {choices.map(({ type, hint }) => (
          <Radio.Card key={type} value={type} className={classes.card}>
            <Radio.Indicator className={classes.indicator} />
            <span>
              <FlagTypeBadge type={type} />
              <Text size="sm" mt={4} component="span" display="block">
                {hint}
              </Text>
            </span>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
}

const TYPES = every<ValueType>()(["boolean", "string", "number", "json"]);

interface ValueTypeChoiceProps {
  value: ValueType;
  onChange: (type: ValueType) => void;
}

/** An input for the type of a new flag's values. Explains the chosen type in a sentence. */
function ValueTypeChoice({ value, onChange }: ValueTypeChoiceProps) {
  const { t } = useTranslation();
  const hint = useId();
  return (
    <div>
      <Input.Label component="div" labelElement="div">
        {t("variants.valueType")}
      </Input.Label>
      <SegmentedControl
        fullWidth
        aria-label={t("variants.valueType")}
        aria-describedby={hint}
        data={TYPES.map((type) => ({ value: type, label: t(`flags.valueTypes.${type}`) }))}
        value={value}
        onChange={onChange}
      />
      <Text size="sm" mt={4} id={hint} role="status">
        {t(`variants.typeHints.${value}`)} {value !== "boolean" && t("variants.typeFixed")}
      </Text>
    </div>
  );
}
