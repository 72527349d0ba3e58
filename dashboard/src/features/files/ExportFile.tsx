import { Button, Group, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useState } from "react";
import type { Project } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { loadCode } from "../../shared/load-code.ts";
import { saveText } from "../../shared/save-text.ts";
import { CopyableCode } from "../../shared/ui/CopyableCode.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { readExport } from "./file-requests.ts";
import type { Format } from "./file-text.ts";

const FORMATS: readonly Format[] = ["yaml", "json"];

/** Buttons that download the file of a project, and the line that writes it on the command line. */
export function ExportFile({ project: { id } }: { project: Project }) {
  const { t } = useTranslation();
  const { failed } = useNotify();
  const [loading, setLoading] = useState<Format>();
  const download = async (format: Format) => {
    setLoading(format);
    try {
      const [{ fileText }, file] = await Promise.all([
        loadCode(() => import("./file-text.ts")),
        readExport(id),
      ]);
      saveText(`flags.${format}`, fileText(file, format));
    } catch (error) {
      failed(error);
    } finally {
      setLoading(undefined);
    }
  };
  return (
    <Stack>
      <Group gap="xs">
        {FORMATS.map((format) => (
          <Button
            key={format}
            variant="default"
            leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
            loading={loading === format}
            onClick={() => void download(format)}
          >
            {t("files.download", { name: `flags.${format}` })}
          </Button>
        ))}
      </Group>
      <Text size="sm">{t("files.commandLine")}</Text>
      <CopyableCode
        name={t("files.command")}
        code={`flags export --project ${id} --output flags.yaml`}
      />
    </Stack>
  );
}
