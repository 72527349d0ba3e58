import { ActionIcon, Group, Text } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";

interface Props {
  names: readonly string[];
  onRemove: (name: string) => void;
}

/** The names of the chosen files, each with a button that removes the file. */
export function ChosenFiles({ names, onRemove }: Props) {
  const { t } = useTranslation();
  return (
    names.length > 0 && (
      <Group gap="md" role="list" aria-label={t("files.chosen")}>
        {names.map((name) => (
          <Group key={name} gap={4} role="listitem" wrap="nowrap">
            <Text size="sm" ff="monospace" style={{ overflowWrap: "anywhere" }}>
              {name}
            </Text>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="sm"
              aria-label={t("files.removeFile", { name })}
              onClick={() => onRemove(name)}
            >
              <IconX size={14} stroke={1.75} aria-hidden />
            </ActionIcon>
          </Group>
        ))}
      </Group>
    )
  );
}
