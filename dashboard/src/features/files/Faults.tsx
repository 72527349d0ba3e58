import { Alert, Code, Stack } from "@mantine/core";
import type { Fault } from "@feature-flags/file/check";
import { useTranslation } from "../../shared/i18n/use-translation.ts";

/** Lists what is wrong with a file, each with the JSON Pointer of its place. */
export function Faults({ faults }: { faults: readonly Fault[] }) {
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
