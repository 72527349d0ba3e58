import { Table } from "@mantine/core";
import { useWrite } from "../../shared/api/request.ts";
import type { ContextValue } from "../../shared/api/types.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { ActionsHeader, RowActions } from "../../shared/ui/RowActions.tsx";
import { Column, DataTable } from "../../shared/ui/DataTable.tsx";
import classes from "./ContextPage.module.css";

interface Props {
  values: readonly ContextValue[];
  onEdit: (value: ContextValue) => void;
}

export function ValueTable({ values, onEdit }: Props) {
  const { t } = useTranslation();
  const mayWrite = useCan("context:write");
  const remove = useDeleteValue();
  return (
    <DataTable
      label={t("contexts.knownValues")}
      verticalSpacing="xs"
      head={
        <>
          <Column w="40%">{t("contexts.value")}</Column>
          <Column>{t("common.description")}</Column>
          {mayWrite && <ActionsHeader w="6rem" />}
        </>
      }
    >
      {values.map((row) => (
        <Table.Tr key={row.id}>
          <Table.Th scope="row" fw={500} className={classes.value ?? ""}>
            {row.value}
          </Table.Th>
          <Table.Td className={classes.words ?? ""}>{row.description}</Table.Td>
          {mayWrite && (
            <Table.Td>
              <RowActions
                edit={{ label: t("contexts.editValueOne", row), onClick: () => onEdit(row) }}
                remove={{
                  label: t("contexts.deleteValueOne", row),
                  onClick: () => void remove(row),
                }}
              />
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </DataTable>
  );
}

/**
 * Deletes without a question, because nothing depends on a known value. The notification offers to
 * restore the value.
 */
function useDeleteValue(): (value: ContextValue) => Promise<void> {
  const { t } = useTranslation();
  const { undoable, failed } = useNotify();
  const add = useWrite("post", "/api/v1/contexts/{definitionId}/values", { onError: failed });
  const remove = useWrite("delete", "/api/v1/contexts/values/{valueId}");
  return async (deleted) => {
    const { id, definitionId, value, description } = deleted;
    try {
      await remove.mutateAsync({ path: { valueId: id } });
      undoable(t("contexts.valueDeleted", deleted), () =>
        add.mutate({ path: { definitionId }, body: { value, description } }),
      );
    } catch (error) {
      failed(error);
    }
  };
}
