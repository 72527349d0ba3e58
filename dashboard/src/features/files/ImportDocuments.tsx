import { Checkbox, Select, Stack, Text } from "@mantine/core";
import type { Documents } from "@feature-flags/convert/documents";
import { useMemo, useState } from "react";
import type { Environment, Project } from "../../shared/api/types.ts";
import { firstEnvironment } from "../../shared/data/environments.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ConversionReport } from "./ConversionReport.tsx";
import { PlanFile } from "./PlanFile.tsx";
import { Step, StepsAfter } from "./Step.tsx";
import type * as reader from "./read-document.ts";
import { Unreadable } from "./Unreadable.tsx";

interface Props {
  documents: Documents;
  convert: typeof reader.convertDocuments;
  project: Project;
  environments: readonly Environment[];
}

/** The environment of the project for each environment in the documents; null: left out. */
type Targets = Readonly<Record<string, string | null>>;

/** Environments with the same name belong together; the only one belongs to the first environment. */
function usualTargets(documents: Documents, environments: readonly Environment[]): Targets {
  const names = new Set(environments.map(({ name }) => name));
  const targets = documents.environments.map((sourceName) => {
    const base = sourceName.replace(/\.(json|ya?ml)$/, "");
    return [sourceName, names.has(base) ? base : null] as const;
  });
  const [only, ...others] = targets;
  if (only && others.length === 0)
    return { [only[0]]: only[1] ?? firstEnvironment(environments)?.name ?? null };
  return Object.fromEntries(targets);
}

/** Converts documents of another service, shows the result for each flag, and plans and applies it. */
export function ImportDocuments({ documents, convert, project, environments }: Props) {
  const { t } = useTranslation();
  const [targets, setTargets] = useState(() => usualTargets(documents, environments));
  const [isRepeated, setRepeated] = useState(false);
  const result = useMemo(() => {
    const chosen = Object.entries(targets).flatMap(([sourceName, environment]) =>
      environment === null ? [] : [[environment, sourceName] as const],
    );
    return chosen.length > 0 ? convert(documents, project.name, new Map(chosen)) : undefined;
  }, [targets, documents, convert, project.name]);
  const isTaken = (name: string, sourceName: string) =>
    Object.entries(targets).some(
      ([other, environment]) => environment === name && other !== sourceName,
    );
  const isUsable =
    result?.kind === "converted" && result.report.some((flag) => flag.result !== "refused");
  return (
    <>
      <Step name="environments" isCurrent={!result} isDone={result !== undefined}>
        <Text size="sm">{t("files.environmentsText")}</Text>
        <Stack gap="sm">
          {documents.environments.map((sourceName) => (
            <Select
              key={sourceName}
              label={sourceName}
              placeholder={t("files.leftOut")}
              data={environments.map(({ name }) => ({
                value: name,
                label: name,
                disabled: isTaken(name, sourceName),
              }))}
              value={targets[sourceName] ?? null}
              onChange={(chosen) => setTargets({ ...targets, [sourceName]: chosen })}
              clearable
              maw="20rem"
            />
          ))}
        </Stack>
      </Step>
      {result ? (
        <Step name="check" isCurrent={!isUsable} isDone={isUsable}>
          {result.kind === "converted" ? (
            <ConversionReport service={result.service} report={result.report} />
          ) : (
            <Unreadable document={result} />
          )}
          {isUsable && (
            <Checkbox
              label={t("files.repeated")}
              description={t("files.repeatedText")}
              checked={isRepeated}
              onChange={({ currentTarget }) => setRepeated(currentTarget.checked)}
            />
          )}
        </Step>
      ) : (
        <Step name="check" />
      )}
      {result?.kind === "converted" && isUsable ? (
        // The key discards the plan of another choice.
        <PlanFile
          key={JSON.stringify([targets, isRepeated])}
          projectId={project.id}
          file={result.file}
          manage={isRepeated}
        />
      ) : (
        <StepsAfter name="check" />
      )}
    </>
  );
}
