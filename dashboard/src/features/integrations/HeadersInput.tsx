import { ActionIcon, Button, Fieldset, Group, Input, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import type { Header } from "./integration-fields.ts";

/** The maximum number of additional headers of an integration. The service rejects more. */
const MAX_HEADERS = 20;

interface Props {
  value: readonly Header[];
  onChange: (headers: Header[]) => void;
  error?: ReactNode;
}

/** The value of a stored header starts empty, because the service does not return it. */
export function HeadersInput({ value, onChange, error }: Props) {
  const { t } = useTranslation();
  const change = (index: number, part: Partial<Header>) =>
    onChange(value.map((header, i) => (i === index ? { ...header, ...part } : header)));
  return (
    <Fieldset legend={t("integrations.headers")}>
      <Stack gap="xs">
        <Text size="xs" c="dimmed">
          {t("integrations.headersHint")}
        </Text>
        {value.map(({ name, value: content, isStored }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a row has no other property that stays the same while it is edited
          <Group key={index} gap="xs" wrap="nowrap">
            <TextInput
              flex={2}
              aria-label={t("integrations.headerName", { number: index + 1 })}
              placeholder="X-Team"
              value={name}
              readOnly={isStored}
              onChange={({ currentTarget }) => change(index, { name: currentTarget.value })}
            />
            <TextInput
              flex={3}
              aria-label={t("integrations.headerValue", { number: index + 1 })}
              placeholder={isStored ? t("integrations.headerStays") : ""}
              autoComplete="off"
              value={content}
              onChange={({ currentTarget }) => change(index, { value: currentTarget.value })}
            />
            <ActionIcon
              aria-label={t("integrations.headerRemove", { number: index + 1 })}
              onClick={() => onChange(value.filter((_, i) => i !== index))}
            >
              <IconTrash size={16} stroke={1.75} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
        {error !== undefined && error !== null && <Input.Error role="alert">{error}</Input.Error>}
        {value.length < MAX_HEADERS && (
          <div>
            <Button
              size="compact-sm"
              variant="default"
              leftSection={<IconPlus size={14} stroke={1.75} aria-hidden />}
              onClick={() => onChange([...value, { name: "", value: "", isStored: false }])}
            >
              {t("integrations.headerAdd")}
            </Button>
          </div>
        )}
      </Stack>
    </Fieldset>
  );
}
