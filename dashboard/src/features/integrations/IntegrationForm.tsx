import { Input, SegmentedControl, TextInput, Checkbox, Fieldset, Stack } from "@mantine/core";
import { isNotEmpty } from "@mantine/form";
import type { ReactNode } from "react";
import { ApiError } from "../../shared/api/api-error.ts";
import { conflictToFieldError } from "../../shared/api/reword-error.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { NameInput } from "../../shared/ui/NameInput.tsx";
import { FormActions } from "../../shared/ui/FormActions.tsx";
import { ServerForm } from "../../shared/ui/ServerForm.tsx";
import { useServerForm } from "../../shared/use-server-form.ts";
import { EVENT_GROUPS, EVENTS, type EventName, withEvents } from "./events.ts";
import { type Header, INTEGRATION_TYPES, type IntegrationFields } from "./integration-fields.ts";
import { HeadersInput } from "./HeadersInput.tsx";
import classes from "./IntegrationForm.module.css";

interface Props {
  initialValues: IntegrationFields;
  /** Whether the user chooses the type, which cannot change later. Default: false. */
  isNew?: boolean;
  confirm: string;
  submit: (fields: IntegrationFields) => Promise<unknown>;
  onCancel: () => void;
}

export function IntegrationForm({
  initialValues,
  isNew = false,
  confirm,
  submit,
  onCancel,
}: Props) {
  const { t } = useTranslation();
  const { form, pending, error, onSubmit } = useServerForm<IntegrationFields>({
    form: {
      initialValues,
      validate: {
        name: isNotEmpty(t("common.required")),
        url: isNotEmpty(t("common.required")),
        events: isNotEmpty(t("integrations.noEvent")),
        headers: (headers) => (hasDuplicates(headers) ? t("integrations.headerTwice") : null),
      },
    },
    submit: (fields) =>
      conflictToFieldError(toFormFieldErrors(submit(fields)), "name", t("integrations.nameInUse")),
  });
  const { type } = form.values;
  return (
    <ServerForm onSubmit={onSubmit} pending={pending} error={error}>
      {isNew && (
        <Input.Wrapper label={t("integrations.type")} labelElement="div">
          <SegmentedControl
            fullWidth
            aria-label={t("integrations.type")}
            data={INTEGRATION_TYPES.map((value) => ({
              value,
              label: t(`integrations.types.${value}`),
            }))}
            {...form.getInputProps("type")}
          />
        </Input.Wrapper>
      )}
      <NameInput {...form.getInputProps("name")} />
      <TextInput
        type="url"
        label={t("integrations.url")}
        description={t(`integrations.urlHints.${type}`)}
        placeholder={URL_EXAMPLES[type]}
        maxLength={2000}
        required
        {...form.getInputProps("url")}
      />
      <EventChoice
        value={form.values.events}
        onChange={(events) => form.setFieldValue("events", events)}
        error={form.errors["events"]}
      />
      {type === "custom_webhook" && (
        <HeadersInput
          value={form.values.headers}
          onChange={(headers) => form.setFieldValue("headers", headers)}
          error={form.errors["headers"]}
        />
      )}
      <FormActions onCancel={onCancel} pending={pending} submit={confirm} />
    </ServerForm>
  );
}

const URL_EXAMPLES: Readonly<Record<IntegrationFields["type"], string>> = {
  custom_webhook: "https://hooks.example.com/flags",
  slack: "https://hooks.slack.com/services/…",
  microsoft_teams: "https://….logic.azure.com/workflows/…",
};

/** Whether two additional headers have the same name. Header names are case-insensitive. */
const hasDuplicates = (headers: readonly Header[]): boolean =>
  new Set(headers.map(({ name }) => name.trim().toLowerCase())).size < headers.length;

/** Renames the API's field errors, such as `configJson.url`, to the fields of the form. */
async function toFormFieldErrors<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const details = error.details.map((fieldError) => ({
      ...fieldError,
      ...toFormField(fieldError),
    }));
    throw error.copyWith({ details });
  }
}

function toFormField({ field, message }: { field: string; message: string }) {
  if (field === "eventSubscriptionsJson") return { field: "events" };
  const [config, part, ...names] = field.split(".");
  if (config !== "configJson") return {};
  if (part !== "headers") return { field: "url" };
  const name = names.join(".");
  return { field: "headers", message: name === "" ? message : `${name}: ${message}` };
}

interface EventChoiceProps {
  value: readonly string[];
  onChange: (events: string[]) => void;
  error?: ReactNode;
}

/** One checkbox for all events, one for each group, and one for each event. */
function EventChoice({ value, onChange, error }: EventChoiceProps) {
  const { t } = useTranslation();
  const select = (events: readonly EventName[], isSelected: boolean) =>
    onChange(withEvents(value, events, isSelected));
  /** Renders a checkbox that selects or deselects several webhook events at once. */
  const groupCheckbox = (label: string, events: readonly EventName[]) => {
    const chosen = events.filter((event) => value.includes(event)).length;
    return (
      <Checkbox
        label={label}
        checked={chosen === events.length}
        indeterminate={chosen > 0 && chosen < events.length}
        onChange={({ currentTarget }) => select(events, currentTarget.checked)}
      />
    );
  };
  return (
    <Fieldset legend={t("integrations.events")}>
      <Stack gap="sm">
        {groupCheckbox(t("integrations.allEvents"), EVENTS)}
        <div className={classes.groups}>
          {EVENT_GROUPS.map(({ group, events }) => (
            <Stack key={group} gap="xs">
              {groupCheckbox(t(`integrations.groups.${group}`), events)}
              {events.map((event) => (
                <Checkbox
                  key={event}
                  ml="lg"
                  label={t(`integrations.eventNames.${event}`)}
                  checked={value.includes(event)}
                  onChange={({ currentTarget }) => select([event], currentTarget.checked)}
                />
              ))}
            </Stack>
          ))}
        </div>
        {error !== undefined && error !== null && <Input.Error role="alert">{error}</Input.Error>}
      </Stack>
    </Fieldset>
  );
}
