import type { Fault } from "@feature-flags/file/check";
import { Button, Group, Text, Textarea, Alert, Code, Stack } from "@mantine/core";
import { useState } from "react";
import type { Environment, Project } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { loadCode } from "../../shared/load-code.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { DropFiles, ChosenFiles } from "./DropFiles.tsx";
import { SERVICE_NAMES } from "./ConversionReport.tsx";
import { ImportDocuments } from "./ImportDocuments.tsx";
import { PlanFile } from "./PlanFile.tsx";
import type * as reader from "./read-document.ts";
import { Step, StepsAfter } from "./Step.tsx";
import classes from "./Step.module.css";
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

/** The steps from a file or a pasted text to its apply. Reads chosen files at once. */
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

  const read = async (texts: readonly reader.Text[]) => {
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
  const replace = (next: readonly reader.Text[]) => {
    setFiles(next);
    setFound(undefined);
    if (next.length > 0) void read([...next, ...pasted]);
  };
  const choose = async (chosen: readonly File[]) => {
    setFileTooLarge(chosen.some(({ size }) => size > MAX_BYTES));
    const fitting = chosen.filter(({ size }) => size <= MAX_BYTES);
    const added = await Promise.all(
      fitting.map(async (file) => ({ name: file.name, text: await file.text() })),
    );
    const names = new Set(added.map(({ name }) => name));
    replace([...files.filter(({ name }) => !names.has(name)), ...added]);
  };
  const isReadable = found?.document.kind === "file" || found?.document.kind === "documents";

  return (
    <ol className={classes.steps} aria-label={t("files.stepsLabel")}>
      <Step name="file" isCurrent={!isReadable} isDone={isReadable}>
        <DropFiles onChoose={(chosen) => void choose(chosen)} />
        <ChosenFiles
          names={files.map(({ name }) => name)}
          onRemove={(name) => replace(files.filter((file) => file.name !== name))}
        />
        {files.length === 0 && (
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
            rows={5}
            spellCheck={false}
            styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          />
        )}
        <Group gap="xs">
          <Button
            variant={isReadable ? "default" : "filled"}
            loading={isReading}
            disabled={files.length + pasted.length === 0 || isTooLarge}
            onClick={() => void read([...files, ...pasted])}
          >
            {t("files.check")}
          </Button>
        </Group>
        {found && <Origin document={found.document} />}
      </Step>
      {/* The key discards the plan of an earlier check. */}
      {found && isReadable ? (
        <FoundDocument
          key={found.check}
          found={found}
          project={project}
          environments={environments}
        />
      ) : (
        <StepsAfter name="file" />
      )}
    </ol>
  );
}

/** Says which service the texts come from, or why they cannot be read. */
function Origin({ document }: Pick<Found, "document">) {
  const { t } = useTranslation();
  switch (document.kind) {
    case "file":
      return (
        <Text size="sm" role="status">
          {t("files.isFile", { count: Object.keys(document.file.flags ?? {}).length })}
        </Text>
      );
    case "documents":
      return (
        <Text size="sm" role="status">
          {t("files.isFrom", { service: SERVICE_NAMES[document.documents.service] })}
        </Text>
      );
    case "faults":
      return <Faults faults={document.faults} />;
    default:
      return <Unreadable document={document} />;
  }
}

/** The steps after the file. A file of this service names its environments. */
function FoundDocument({
  found: { document, convert },
  project,
  environments,
}: Props & { found: Found }) {
  const { t } = useTranslation();
  const { list } = useFormat();
  if (document.kind === "documents")
    return (
      <ImportDocuments
        documents={document.documents}
        convert={convert}
        project={project}
        environments={environments}
      />
    );
  if (document.kind !== "file") return null;
  const flags = Object.values(document.file.flags ?? {});
  const names = new Set(flags.flatMap((flag) => Object.keys(flag.environments ?? {})));
  return (
    <>
      <Step name="environments" isDone>
        <Text size="sm">
          {names.size === 0
            ? t("files.noEnvironments")
            : t("files.namedEnvironments", { environments: list([...names]) })}
        </Text>
      </Step>
      <Step name="check" isDone>
        <Text size="sm">{t("files.wellFormed")}</Text>
      </Step>
      <PlanFile projectId={project.id} file={document.file} manage />
    </>
  );
}

/** Lists what is wrong with a file, each with the JSON Pointer of its place. */
function Faults({ faults }: { faults: readonly Fault[] }) {
  const { t } = useTranslation();
  return (
    <Alert color="red" variant="light" role="alert" title={t("files.faults")}>
      <Stack gap={4}>
        {faults.map(({ path, message }) => (
          <div key={`${path} ${message}`}>
            <Code>{path === "" ? "/" : path}</Code> {message}
          </div>
        ))}
      </Stack>
    </Alert>
  );
}
