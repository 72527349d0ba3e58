import { MultiSelect, Select, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { RowFieldset } from "../../../shared/rows/RowFieldset.tsx";
import { IconButton } from "../../../shared/ui/IconButton.tsx";
import { flagByKeyQuery } from "./flag-queries.ts";
import { FlagSelect } from "./FlagSelect.tsx";
import type { PrerequisiteInput } from "./prerequisite-input.ts";
import classes from "./PrerequisiteRow.module.css";

interface Props {
  projectId: number;
  /** Whether browsers get the flag that has the prerequisite. */
  isPublic: boolean;
  /** The keys of the flags that cannot be chosen. */
  taken: readonly string[];
  number: number;
  prerequisite: PrerequisiteInput;
  onChange: (prerequisite: PrerequisiteInput) => void;
  onRemove: () => void;
}

/** The inputs for one prerequisite: the flag, whether it must be on or off, and its variants. */
export function PrerequisiteRow(props: Props) {
  const { projectId, isPublic, taken, number, prerequisite, onChange, onRemove } = props;
  const { t } = useTranslation();
  const { flagKey, enabled, variants, errors } = prerequisite;
  const { data: flag } = useQuery(flagByKeyQuery(projectId, flagKey));
  const hasVariants = variants.length > 0 || (enabled && flag && flag.valueType !== "boolean");
  const known = flag?.variants.map(({ key }) => key) ?? [];
  return (
    <>
      <RowFieldset legend={t("prerequisites.nth", { number })} className={classes.row}>
        <FlagSelect
          className={classes.flag ?? ""}
          projectId={projectId}
          taken={taken}
          value={flagKey}
          name={flag?.name}
          onChange={(key) => onChange({ ...prerequisite, flagKey: key, variants: [], errors: {} })}
          error={errors["flagKey"]}
        />
        <Select
          className={classes.state ?? ""}
          label={t("prerequisites.state")}
          data={[
            { value: "on", label: t("common.on") },
            { value: "off", label: t("common.off") },
          ]}
          value={enabled ? "on" : "off"}
          onChange={(state) =>
            onChange({ ...prerequisite, enabled: state === "on", variants: [], errors: {} })
          }
          allowDeselect={false}
          error={errors["enabled"]}
        />
        {hasVariants && (
          <MultiSelect
            className={classes.variants ?? ""}
            label={t("prerequisites.variants")}
            placeholder={variants.length === 0 ? t("prerequisites.variantsPlaceholder") : ""}
            data={[...new Set([...known, ...variants])]}
            value={[...variants]}
            onChange={(chosen) => onChange({ ...prerequisite, variants: chosen, errors: {} })}
            hidePickedOptions
            error={errors["variants"]}
          />
        )}
        <IconButton
          label={t("prerequisites.remove", { number })}
          className={classes.remove ?? ""}
          onClick={onRemove}
        >
          <IconTrash size={16} stroke={1.75} aria-hidden />
        </IconButton>
      </RowFieldset>
      {isPublic && flag?.clients === "server" && (
        <Text size="xs" c="dimmed">
          {t("clients.seenThrough", { flag: flag.key })}
        </Text>
      )}
    </>
  );
}
