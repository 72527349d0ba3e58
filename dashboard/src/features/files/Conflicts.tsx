import { Checkbox, Fieldset, Stack, Text } from "@mantine/core";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import type { FilePlan } from "./file-requests.ts";
import { valueText } from "./value-text.ts";

interface Props {
  conflicts: FilePlan["conflicts"];
  overwrite: readonly string[];
  onToggle: (path: string) => void;
}

/** The fields that the file may not change, with a choice for each to let the file win. */
export function Conflicts({ conflicts, overwrite, onToggle }: Props) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const who = ({ manager, by, at }: Props["conflicts"][number]) => {
    if (manager !== null) return t("files.ofManager", { manager });
    const name = by ?? t("files.somebody");
    return at === null
      ? t("files.changedBy", { name })
      : t("files.changedByAt", { name, time: dateTime(at) });
  };
  return (
    <Fieldset legend={t("files.conflicts", { count: conflicts.length })}>
      <Text size="sm" mb="sm">
        {t("files.conflictsText")}
      </Text>
      <Stack gap="sm">
        {conflicts.map((conflict) => (
          <Checkbox
            key={conflict.path}
            label={conflict.path}
            description={`${who(conflict)} ${t("files.values", {
              current: valueText(conflict.current),
              wanted: valueText(conflict.wanted),
            })}`}
            checked={overwrite.includes(conflict.path)}
            onChange={() => onToggle(conflict.path)}
            styles={{ label: { overflowWrap: "anywhere" } }}
          />
        ))}
      </Stack>
    </Fieldset>
  );
}
