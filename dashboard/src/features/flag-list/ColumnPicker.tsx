import { Button, Checkbox, Fieldset, Popover, Stack } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconColumns3 } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { changePreferences, preferencesQuery } from "../../shared/data/preferences.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import classes from "./ColumnPicker.module.css";
import { type Column, type Columns, defaultColumns, environmentColumn, FACTS } from "./columns.ts";

/** How long after the user's last choice the page saves the columns, milliseconds. */
const SAVE_MS = 400;

/** The button that opens the choice of columns. The table follows at once. */
export function ColumnPicker({ columns }: { columns: Columns }) {
  const { t } = useTranslation();
  const [opened, setOpened] = useState(false);
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-end" width="18rem" trapFocus>
      <Popover.Target>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconColumns3 size={16} stroke={1.75} aria-hidden />}
          onClick={() => setOpened(!opened)}
        >
          {t("columns.title")}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("columns.title")} className={classes.choice}>
        <Choice columns={columns} />
      </Popover.Dropdown>
    </Popover>
  );
}

function Choice({ columns }: { columns: Columns }) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState(columns);
  const { data: environments = [] } = useQuery(environmentsQuery(useProjectId()));
  const choose = useChooseColumns();
  const box = (column: Column, label = t(`columns.names.${column as "usage"}`)) => ({
    label,
    checked: chosen.has(column),
    classNames: { labelWrapper: classes.label },
    onChange: () => {
      const others = [...chosen].filter((other) => other !== column);
      const next = chosen.has(column) ? others : [...others, column];
      setChosen(new Set(next));
      choose(next);
    },
  });
  const reset = () => {
    setChosen(new Set(defaultColumns(environments)));
    choose(null);
  };
  return (
    <Stack gap="md">
      <Fieldset variant="unstyled" legend={t("columns.environments")}>
        <Stack gap="xs">
          {environments.map(({ id, name }) => (
            <Checkbox
              key={id}
              {...box(environmentColumn(id))}
              aria-label={name}
              label={<EnvironmentChip id={id} name={name} />}
            />
          ))}
          {environments.length > 1 && <Checkbox {...box("others")} />}
        </Stack>
      </Fieldset>
      <Fieldset variant="unstyled" legend={t("columns.facts")}>
        <Stack gap="xs">
          {FACTS.map((fact) => (
            <Checkbox key={fact} {...box(fact)} />
          ))}
        </Stack>
      </Fieldset>
      <Fieldset variant="unstyled" legend={t("columns.rows")}>
        <Stack gap="xs">
          <Checkbox {...box("tags")} />
          <Checkbox {...box("comfortable")} />
        </Stack>
      </Fieldset>
      <Button variant="default" onClick={reset}>
        {t("columns.reset")}
      </Button>
    </Stack>
  );
}

/** Returns a function that shows other columns, and saves them. Null: the default ones. */
function useChooseColumns() {
  const client = useQueryClient();
  const projectId = useProjectId();
  const notify = useNotify();
  const { queryKey } = preferencesQuery(projectId);
  const latest = useRef<string[] | null>(null);
  const show = () =>
    client.setQueryData(queryKey, (before) => before && { ...before, columns: latest.current });
  const save = useDebouncedCallback(
    async () => {
      try {
        await changePreferences(client, {
          change: "setColumns",
          projectId,
          columns: latest.current,
        });
        // Ignores the columns in the response, because the user may have chosen others since the
        // request.
        show();
      } catch (error) {
        notify.failed(error);
        await client.invalidateQueries({ queryKey });
      }
    },
    { delay: SAVE_MS, flushOnUnmount: true },
  );
  return (columns: string[] | null) => {
    latest.current = columns;
    // Cancels running requests for the preferences, because their responses have the earlier
    // columns.
    void client.cancelQueries({ queryKey });
    show();
    save();
  };
}
