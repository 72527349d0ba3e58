import { Button, Group, Text, Title } from "@mantine/core";
import { IconListDetails, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { ContextDefinition, ContextValue } from "../../shared/api/types.ts";
import { contextValuesQuery } from "../../shared/data/project-lists.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { SearchableList } from "../../shared/list/SearchableList.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import classes from "./ContextPage.module.css";
import { ValueForm } from "./ValueForm.tsx";
import { PasteValues } from "./PasteValues.tsx";
import { ValueTable } from "./ValueTable.tsx";

/** The open dialog: add one known value (`add`), paste many (`paste`), or edit `value` (`edit`). */
type DialogContent =
  | { readonly kind: "add" | "paste" }
  | { readonly kind: "edit"; value: ContextValue };

export function ContextValues({ definition }: { definition: ContextDefinition }) {
  const { t } = useTranslation();
  const values = useQuery(contextValuesQuery(definition.id));
  const mayWrite = useCan("context:write");
  const { subject: dialog, isOpen, open, close } = useDialog<DialogContent>();
  const kind = dialog?.kind;
  const edited = dialog?.kind === "edit" ? dialog.value : undefined;
  const actions = mayWrite && (
    <Group gap="xs" justify="center">
      <Button
        variant="default"
        leftSection={<IconListDetails size={16} stroke={1.75} aria-hidden />}
        onClick={() => open({ kind: "paste" })}
      >
        {t("contexts.addMany")}
      </Button>
      <Button
        leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
        onClick={() => open({ kind: "add" })}
      >
        {t("contexts.addValue")}
      </Button>
    </Group>
  );

  return (
    <section aria-labelledby="context-values">
      <div className={classes.heading}>
        <div>
          <Title order={2} size="h4" id="context-values">
            {t("contexts.knownValues")}
          </Title>
          <Text size="sm" c="dimmed">
            {t("contexts.knownValuesText")}
          </Text>
        </div>
        {values.data?.length !== 0 && actions}
      </div>
      <QueryView query={values}>
        {(data) =>
          data.length > 0 ? (
            <SearchableList
              items={data}
              text={({ value, description }) => `${value}\n${description ?? ""}`}
              searchLabel={t("contexts.searchValues")}
            >
              {(found) => (
                <ValueTable values={found} onEdit={(value) => open({ kind: "edit", value })} />
              )}
            </SearchableList>
          ) : (
            <EmptyState Icon={IconListDetails} title={t("contexts.noValues")} action={actions}>
              {t("contexts.noValuesText")}
            </EmptyState>
          )
        }
      </QueryView>
      <FormModal
        title={t("contexts.addMany")}
        opened={isOpen && kind === "paste"}
        onClose={close}
        size="lg"
      >
        <PasteValues onClose={close} definition={definition} known={values.data ?? []} />
      </FormModal>
      <FormModal
        title={edited ? t("contexts.editValue", edited) : t("contexts.addValue")}
        opened={isOpen && kind !== "paste"}
        onClose={close}
      >
        <ValueForm onClose={close} definition={definition} value={edited} />
      </FormModal>
    </section>
  );
}
