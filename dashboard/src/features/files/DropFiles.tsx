import { Button, FileButton, Text } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
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
