import { Button, FileButton, Text, ActionIcon, Group } from "@mantine/core";
import { IconFileUpload, IconX } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import classes from "./DropFiles.module.css";

/** A place to drop files, with a button that opens the chooser of the browser. */
export function DropFiles({ onChoose }: { onChoose: (files: readonly File[]) => void }) {
  const { t } = useTranslation();
  const [isOver, setOver] = useState(false);
  return (
    <div
      className={classes.zone}
      data-over={isOver || undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        onChoose([...event.dataTransfer.files]);
      }}
    >
      <IconFileUpload size={32} stroke={1.5} aria-hidden />
      <Text size="sm">{t("files.drop")}</Text>
      <FileButton multiple onChange={onChoose} accept=".yaml,.yml,.json">
        {(props) => (
          <Button {...props} variant="default">
            {t("files.choose")}
          </Button>
        )}
      </FileButton>
      <Text size="xs" c="dimmed">
        {t("files.services")}
      </Text>
    </div>
  );
}

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
