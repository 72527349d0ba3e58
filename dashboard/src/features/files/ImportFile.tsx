import { Alert, Button, FileButton, Group, Select, Stack, Text, Textarea } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useState } from "react";
import type { Environment, Project } from "../../shared/api/types.ts";
import { firstEnvironment } from "../../shared/data/environments.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { loadCode } from "../../shared/load-code.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { ConversionReport } from "./ConversionReport.tsx";
import { Faults } from "./Faults.tsx";
import { PlanFile } from "./PlanFile.tsx";
import type { ReadDocument } from "./read-document.ts";

/** The most bytes of a request with a file (src/http/request-limits.ts). */
const MAX_BYTES = 8 * 1024 * 1024;

interface Props {
  project: Project;
  environments: readonly Environment[];
}

/** Reads a file or a pasted text, shows what it is, and plans and applies it. */
export function ImportFile({ project, environments }: Props) {
  const { t } = useTranslation();
  const { failed } = useNotify();
  const [text, setText] = useState("");
  const [environment, setEnvironment] = useState(firstEnvironment(environments)?.name ?? "");
  const [found, setFound] = useState<{ readonly document: ReadDocument; readonly check: string }>();
  const [isReading, setReading] = useState(false);
  const [isFileTooLarge, setFileTooLarge] = useState(false);
  const isTooLarge = isFileTooLarge || new Blob([text]).size > MAX_BYTES;

  const read = async (content: string, target: string) => {
    setReading(true);
    try {
      const { readDocument } = await loadCode(() => import("./read-document.ts"));
      const document = readDocument(content, { project: project.name, environment: target });
      setFound({ document, check: crypto.randomUUID() });
    } catch (error) {
      failed(error);
    } finally {
      setReading(false);
    }
  };
  const change = (content: string) => {
    setText(content);
    setFileTooLarge(false);
    setFound(undefined);
  };
  const choose = async (file: File | null) => {
    if (!file) return;
    const isLarge = file.size > MAX_BYTES;
    change(isLarge ? "" : await file.text());
    setFileTooLarge(isLarge);
  };

  return (
    <Stack>
      <Textarea
        label={t("files.text")}
        description={t("files.textHint")}
        value={text}
        onChange={({ currentTarget }) => change(currentTarget.value)}
        error={isTooLarge && t("files.tooLarge")}
        rows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      />
      <Group gap="xs">
        <FileButton onChange={(file) => void choose(file)} accept=".yaml,.yml,.json">
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
          disabled={text.trim() === "" || isTooLarge}
          onClick={() => void read(text, environment)}
        >
          {t("files.check")}
        </Button>
      </Group>
      {found?.document.kind === "converted" && (
        <Select
          label={t("files.environment")}
          description={t("files.environmentHint")}
          data={environments.map(({ name }) => name)}
          value={environment}
          onChange={(name) => {
            if (name === null) return;
            setEnvironment(name);
            void read(text, name);
          }}
          allowDeselect={false}
          maw="20rem"
        />
      )}
      {/* The key discards the plan of an earlier check. */}
      {found && <Found key={found.check} found={found.document} projectId={project.id} />}
    </Stack>
  );
}

/** Shows what a text is. A file can be planned. */
function Found({ found, projectId }: { found: ReadDocument; projectId: number }) {
  const { t } = useTranslation();
  if (found.kind === "file")
    return (
      <>
        <Text size="sm" role="status">
          {t("files.isFile", { count: Object.keys(found.file.flags ?? {}).length })}
        </Text>
        <PlanFile projectId={projectId} file={found.file} />
      </>
    );
  if (found.kind === "converted")
    return (
      <>
        <ConversionReport report={found.report} />
        {found.report.some(({ result }) => result !== "refused") && (
          <PlanFile projectId={projectId} file={found.file} />
        )}
      </>
    );
  if (found.kind === "faults") return <Faults faults={found.faults} />;
  const isUnreadable = found.kind === "unreadable";
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title={t(isUnreadable ? "files.unreadable" : "files.lacksSegments")}
      style={{ whiteSpace: "pre-wrap" }}
    >
      {isUnreadable ? found.message : t("files.lacksSegmentsText")}
    </Alert>
  );
}
