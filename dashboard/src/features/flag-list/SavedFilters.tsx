import { Button, Menu } from "@mantine/core";
import {
  IconBookmark,
  IconBookmarkFilled,
  IconDeviceFloppy,
  IconPencil,
  IconReplace,
  IconTrash,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { defaultParseSearch, defaultStringifySearch } from "@tanstack/react-router";
import { useState } from "react";
import { preferencesQuery } from "../../shared/data/preferences.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { type SavedFilter, sharedFiltersQuery, useSavedFilterChanges } from "./saved-filters.ts";
import { SavedFilterDialog } from "./SavedFilterDialog.tsx";
import { type FlagsSearch, validateFlagsSearch } from "./search-params.ts";
import { useFlagsSearch } from "./use-flags-search.ts";

const ICON = { size: 16, stroke: 1.75, "aria-hidden": true } as const;

/** Applies, saves, renames, replaces and deletes the filters of the user, and those of the project. */
export function SavedFilters() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const changes = useSavedFilterChanges();
  const canShare = useCan("shared-filter:write");
  const notify = useNotify();
  const { search, change } = useFlagsSearch();
  const { data } = useQuery(preferencesQuery(projectId));
  const { subject, isOpen, open, close } = useDialog<"save" | SavedFilter>();
  const [applied, setApplied] = useState<string>();
  const query = toSavedQuery(search);
  // The names of the shared filters are needed when the menu is open, or the button may show one.
  const [wasOpened, setWasOpened] = useState(false);
  const { data: shared = NONE } = useQuery({
    ...sharedFiltersQuery(projectId),
    enabled: wasOpened || query !== "",
  });
  const filters: readonly SavedFilter[] = [...(data?.filters ?? NONE), ...shared];
  const current = filters.find((filter) => normalised(filter.query) === query);
  const last = current ?? filters.find((filter) => keyOf(filter) === applied);
  const canChange = (filter: SavedFilter) => filter.id === undefined || canShare;

  const overwrite = async (filter: SavedFilter) => {
    try {
      await changes.overwrite(filter, query);
      notify.done(t("savedFilters.saved", { name: filter.name }));
    } catch (error) {
      notify.failed(error);
    }
  };
  const remove = async (filter: SavedFilter) => {
    try {
      await changes.remove(filter);
      notify.undoable(
        t("savedFilters.deleted", { name: filter.name }),
        () => void changes.save(filter, filter.id !== undefined).catch(notify.failed),
      );
    } catch (error) {
      notify.failed(error);
    }
  };
  const itemOf = (filter: SavedFilter) => (
    <Menu.Item
      key={keyOf(filter)}
      leftSection={
        filter === current ? <IconBookmarkFilled {...ICON} /> : <IconBookmark {...ICON} />
      }
      onClick={() => {
        setApplied(keyOf(filter));
        change(fromSavedQuery(filter.query));
      }}
    >
      {filter.name}
    </Menu.Item>
  );

  const Icon = current ? IconBookmarkFilled : IconBookmark;
  return (
    <>
      <Menu position="bottom-end" onOpen={() => setWasOpened(true)}>
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
          {shared.length > 0 && shared.length < filters.length && (
            <Menu.Label>{t("savedFilters.mine")}</Menu.Label>
          )}
          {filters.filter(({ id }) => id === undefined).map(itemOf)}
          {shared.length > 0 && <Menu.Label>{t("savedFilters.shared")}</Menu.Label>}
          {shared.map(itemOf)}
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
          {last && last !== current && query !== "" && canChange(last) && (
            <Menu.Item leftSection={<IconReplace {...ICON} />} onClick={() => void overwrite(last)}>
              {t("savedFilters.overwrite", { name: last.name })}
            </Menu.Item>
          )}
          {current && canChange(current) && (
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
          others={data?.filters ?? NONE}
          canShare={canShare}
          opened={isOpen}
          onClose={close}
          onSaved={(filter) => setApplied(keyOf(filter))}
        />
      )}
    </>
  );
}

const NONE = [] as const;

/** The key of the filter with this name, of the user or of the project. */
const keyOf = ({ id, name }: Pick<SavedFilter, "id" | "name">): string =>
  `${id === undefined ? "mine" : "shared"} ${name}`;

/** Returns a saved query as `toSavedQuery` writes it, because an earlier release may have saved it. */
const normalised = (query: string): string => toSavedQuery(fromSavedQuery(query));

/**
 * Returns the query that is saved: search text, filters and order, without the page number. The same
 * filters always have the same query, because the validation sorts the parameters.
 */
const toSavedQuery = (search: FlagsSearch): string =>
  defaultStringifySearch({ ...validateFlagsSearch({ ...search }), page: undefined }).slice(1);

const fromSavedQuery = (query: string): FlagsSearch =>
  validateFlagsSearch(defaultParseSearch(query));
