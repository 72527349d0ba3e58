import { Button, FileButton, Group, Stack, Text, Textarea } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import type { Environment, Project } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { loadCode } from "../../shared/load-code.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { ChosenFiles } from "./ChosenFiles.tsx";
import { Faults } from "./Faults.tsx";
import { ImportDocuments } from "./ImportDocuments.tsx";
import { PlanFile } from "./PlanFile.tsx";
import type * as reader from "./read-document.ts";
import { Unreadable } from "./Unreadable.tsx";

/** The most bytes of a request with a file (src/http/request-limits.ts). */
const MAX_BYTES = 8 * 1024 * 1024;

interface Props {
  project: Project;
  environments: readonly Environment[];
}

/** What the texts are, and the module that converts them. */
interface Found {
  readonly document: reader.ReadDocument;
  readonly convert: typeof reader.convertDocuments;
  readonly check: string;
}

/** Reads files or a pasted text, shows what they are, and plans and applies them. */
export function ImportFile({ project, environments }: Props) {
  const { t } = useTranslation();
  const { failed } = useNotify();
  const [text, setText] = useState("");
  const [files, setFiles] = useState<readonly reader.Text[]>([]);
  const [found, setFound] = useState<Found>();
  const [isReading, setReading] = useState(false);
  const [isFileTooLarge, setFileTooLarge] = useState(false);
  const isTooLarge = isFileTooLarge || new Blob([text]).size > MAX_BYTES;
  const pasted = text.trim() === "" ? [] : [{ name: t("files.pasted"), text }];
  const texts = [...files, ...pasted];

  const read = async () => {
    setReading(true);
    try {
      const { readDocuments, convertDocuments } = await loadCode(
        () => import("./read-document.ts"),
      );
      const check = crypto.randomUUID();
      setFound({ document: readDocuments(texts), convert: convertDocuments, check });
    } catch (error) {
      failed(error);
    } finally {
      setReading(false);
    }
  };
  const choose = async (chosen: readonly File[]) => {
    setFound(undefined);
    setFileTooLarge(chosen.some(({ size }) => size > MAX_BYTES));
    const fitting = chosen.filter(({ size }) => size <= MAX_BYTES);
    const added = await Promise.all(
      fitting.map(async (file) => ({ name: file.name, text: await file.text() })),
    );
    const names = new Set(added.map(({ name }) => name));
    setFiles([...files.filter(({ name }) => !names.has(name)), ...added]);
  };

  return (
    <Stack>
      <Textarea
        label={t("files.text")}
        description={t("files.textHint")}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value);
          setFileTooLarge(false);
          setFound(undefined);
        }}
        error={isTooLarge && t("files.tooLarge")}
        rows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      />
      <ChosenFiles
        names={files.map(({ name }) => name)}
        onRemove={(name) => {
          setFiles(files.filter((file) => file.name !== name));
          setFound(undefined);
        }}
      />
      <Group gap="xs">
        <FileButton multiple onChange={(chosen) => void choose(chosen)} accept=".yaml,.yml,.json">
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<IconFileUpload size={16} stroke={1.75} aria-hidden />}
            >
              {t("files.choose")}
            </Button>
          )}
        </FileButton>
        <Button
          loading={isReading}
          disabled={texts.length === 0 || isTooLarge}
          onClick={() => void read()}
        >
          {t("files.check")}
        </Button>
      </Group>
      {/* The key discards the plan of an earlier check. */}
      {found && (
        <FoundDocument
          key={found.check}
          found={found}
          project={project}
          environments={environments}
        />
      )}
    </Stack>
  );
}

/** Shows what the texts are. A file can be planned. */
function FoundDocument({
  found: { document, convert },
  project,
  environments,
}: Props & { found: Found }) {
  const { t } = useTranslation();
  switch (document.kind) {
    case "file":
      return (
        <>
          <Text size="sm" role="status">
            {t("files.isFile", { count: Object.keys(document.file.flags ?? {}).length })}
          </Text>
          <PlanFile projectId={project.id} file={document.file} manage />
        </>
      );
    case "documents":
      return (
        <ImportDocuments
          documents={document.documents}
          convert={convert}
          project={project}
          environments={environments}
        />
      );
    case "faults":
      return <Faults faults={document.faults} />;
    default:
      return <Unreadable document={document} />;
  }
}
