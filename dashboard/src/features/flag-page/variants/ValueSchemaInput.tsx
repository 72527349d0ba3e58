import { Button, Group, Stack, Text } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { ValueType } from "../../../shared/api/types.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { JsonEditor } from "../../../shared/json/JsonEditor.tsx";
import { formatJson } from "../../../shared/json/parse-json.ts";

interface Props {
  type: ValueType;
  /** The text of the schema. Empty if there is none. */
  value: string;
  onChange: (text: string) => void;
  error: ReactNode;
}

/** An input for the JSON Schema that all variants of a flag must match. */
export function ValueSchemaInput({ type, value, onChange, error }: Props) {
  const { t } = useTranslation();
  if (value === "")
    return (
      <Group gap="sm">
        <Button
          variant="default"
          size="sm"
          leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
          onClick={() => onChange(formatJson({ type: type === "json" ? "object" : type }))}
        >
          {t("variants.addSchema")}
        </Button>
        <Text size="sm" c="dimmed">
          {t("variants.schemaHint")}
        </Text>
      </Group>
    );
  return (
    <Stack gap="xs" align="stretch">
      <JsonEditor
        label={t("variants.schema")}
        description={t("variants.schemaHint")}
        value={value}
        // An empty text would hide the editor while the user types.
        onChange={(text) => onChange(text === "" ? " " : text)}
        error={error}
      />
      <div>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconTrash size={14} stroke={1.75} aria-hidden />}
          onClick={() => onChange("")}
        >
          {t("variants.removeSchema")}
        </Button>
      </div>
    </Stack>
  );
}
