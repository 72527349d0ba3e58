import { Button, Menu } from "@mantine/core";
import {
  IconBookmark,
  IconBookmarkFilled,
  IconDeviceFloppy,
  IconPencil,
  IconReplace,
  IconTrash,
} from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { defaultParseSearch, defaultStringifySearch } from "@tanstack/react-router";
import { useState } from "react";
import { changePreferences, preferencesQuery } from "../../shared/data/preferences.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { type NamedFilter, SavedFilterDialog } from "./SavedFilterDialog.tsx";
import { type FlagsSearch, validateFlagsSearch } from "./search-params.ts";
import { useFlagsSearch } from "./use-flags-search.ts";

const ICON = { size: 16, stroke: 1.75, "aria-hidden": true } as const;

/** Applies, saves, renames, replaces and deletes the filters that the user has saved. */
export function SavedFilters() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const client = useQueryClient();
  const notify = useNotify();
  const { search, change } = useFlagsSearch();
  const { data } = useQuery(preferencesQuery(projectId));
  const { subject, isOpen, open, close } = useDialog<"save" | NamedFilter>();
  const [applied, setApplied] = useState<string>();
  const filters = data?.filters ?? [];
  const query = toSavedQuery(search);
  const current = filters.find((filter) => filter.query === query);
  const last = current ?? filters.find(({ name }) => name === applied);

  const overwrite = async ({ name }: NamedFilter) => {
    try {
      await changePreferences(client, { change: "saveFilter", projectId, name, query });
      notify.done(t("savedFilters.saved", { name }));
    } catch (error) {
      notify.failed(error);
    }
  };
  const remove = async (filter: NamedFilter) => {
    const { name } = filter;
    try {
      await changePreferences(client, { change: "deleteFilter", projectId, name });
      notify.undoable(t("savedFilters.deleted", { name }), () => void restore(filter));
    } catch (error) {
      notify.failed(error);
    }
  };
  const restore = (filter: NamedFilter) =>
    changePreferences(client, { change: "saveFilter", projectId, ...filter }).catch(notify.failed);

  const Icon = current ? IconBookmarkFilled : IconBookmark;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<Icon {...ICON} />}
            maw="16rem"
            aria-label={current ? `${t("savedFilters.title")}: ${current.name}` : undefined}
          >
            {current?.name ?? t("savedFilters.title")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown maw="24rem">
          {filters.length === 0 && <Menu.Label>{t("savedFilters.none")}</Menu.Label>}
          {filters.map(({ name, query: saved }) => (
            <Menu.Item
              key={name}
              leftSection={
                name === current?.name ? (
                  <IconBookmarkFilled {...ICON} />
                ) : (
                  <IconBookmark {...ICON} />
                )
              }
              onClick={() => {
                setApplied(name);
                change(fromSavedQuery(saved));
              }}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
          {!current && (
            <Menu.Item
              leftSection={<IconDeviceFloppy {...ICON} />}
              disabled={query === ""}
              onClick={() => open("save")}
            >
              {query === "" ? t("savedFilters.nothing") : t("savedFilters.save")}
            </Menu.Item>
          )}
          {last && last !== current && query !== "" && (
            <Menu.Item leftSection={<IconReplace {...ICON} />} onClick={() => void overwrite(last)}>
              {t("savedFilters.overwrite", { name: last.name })}
            </Menu.Item>
          )}
          {current && (
            <>
              <Menu.Item leftSection={<IconPencil {...ICON} />} onClick={() => open(current)}>
                {t("savedFilters.rename", { name: current.name })}
              </Menu.Item>
              <Menu.Item
                color="red"
                leftSection={<IconTrash {...ICON} />}
                onClick={() => void remove(current)}
              >
                {t("savedFilters.delete", { name: current.name })}
              </Menu.Item>
            </>
          )}
        </Menu.Dropdown>
      </Menu>
      {subject !== undefined && (
        <SavedFilterDialog
          filter={subject === "save" ? undefined : subject}
          query={query}
          others={filters}
          opened={isOpen}
          onClose={close}
          onSaved={setApplied}
        />
      )}
    </>
  );
}

/**
 * Returns the query that is saved: search text, filters and order, without the page number. The same
 * filters always have the same query, because the validation sorts the parameters.
 */
const toSavedQuery = (search: FlagsSearch): string =>
  defaultStringifySearch({ ...validateFlagsSearch({ ...search }), page: undefined }).slice(1);

const fromSavedQuery = (query: string): FlagsSearch =>
  validateFlagsSearch(defaultParseSearch(query));
