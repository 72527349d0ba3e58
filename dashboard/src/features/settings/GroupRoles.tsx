import { Select, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { ROLES } from "@feature-flags/permissions/permissions";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { RowFieldset } from "../../shared/rows/RowFieldset.tsx";
import { RowsEditor } from "../../shared/rows/RowsEditor.tsx";
import { IconButton } from "../../shared/ui/IconButton.tsx";
import classes from "./GroupRoles.module.css";
import { type GroupRow, newGroupRow } from "./provider-fields.ts";

/** The maximum number of groups of a provider. The API rejects more. */
const MAX = 100;

interface Props {
  rows: readonly GroupRow[];
  onChange: (rows: GroupRow[]) => void;
  failures: number;
  /** An example of a group at the provider. */
  example: string;
}

/** The rows that map groups at the provider to roles. */
export function GroupRoles({ rows, onChange, failures, example }: Props) {
  const { t } = useTranslation();
  return (
    <RowsEditor
      rows={rows}
      onChange={onChange}
      newRow={newGroupRow}
      add={t("identityProviders.addGroup")}
      max={MAX}
      full={t("identityProviders.groupsFull", { count: MAX })}
      failures={failures}
    >
      {(row, { number, onChange: change, onRemove }) => (
        <RowFieldset legend={t("identityProviders.nthGroup", { number })} className={classes.row}>
          <TextInput
            className={classes.group ?? ""}
            label={t("identityProviders.group")}
            placeholder={example}
            maxLength={200}
            value={row.group}
            onChange={({ currentTarget }) =>
              change({ ...row, group: currentTarget.value, errors: {} })
            }
            error={row.errors["group"]}
          />
          <Select
            className={classes.role ?? ""}
            label={t("users.role")}
            allowDeselect={false}
            data={ROLES.map((value) => ({ value, label: t(`users.roles.${value}`) }))}
            value={row.role}
            onChange={(role) => role !== null && change({ ...row, role, errors: {} })}
            error={row.errors["role"]}
          />
          <IconButton
            label={t("identityProviders.removeGroup", { number })}
            className={classes.remove ?? ""}
            onClick={onRemove}
          >
            <IconTrash size={16} stroke={1.75} aria-hidden />
          </IconButton>
        </RowFieldset>
      )}
    </RowsEditor>
  );
}
