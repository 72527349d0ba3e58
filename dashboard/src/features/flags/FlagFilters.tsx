import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconStar } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { selectOptionsOf } from "../../shared/data/select-options.ts";
import { segmentsQuery } from "../../shared/data/segments.ts";
import { tagsQuery } from "../../shared/data/tags.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { SearchBox } from "../../shared/list/SearchBox.tsx";
import { useIsNarrow } from "../../shared/ui/use-is-narrow.ts";
import classes from "./FlagFilters.module.css";
import { countFilters } from "./search-params.ts";
import { Filter, OwnerFilter, SortSelect } from "./deferred.tsx";
import { useFlagsSearch } from "./use-flags-search.ts";

/**
 * The search box and the filters of the flags page. On narrow screens a button shows and hides the
 * filters.
 */
export function FlagFilters({ isSearching }: { isSearching: boolean }) {
  const { t } = useTranslation();
  const { search, change } = useFlagsSearch();
  const isNarrow = useIsNarrow();
  const [opened, { toggle }] = useDisclosure(false);
  const id = useId();
  const count = countFilters(search);

  return (
    <search className={classes.bar} aria-label={t("flags.filters")}>
      <div className={classes.search}>
        <SearchBox
          label={t("common.search")}
          placeholder={t("flags.searchPlaceholder")}
          value={search.search ?? ""}
          onSearch={(words) => change({ search: words || undefined }, { replace: true })}
          isSearching={isSearching}
        />
      </div>
      {isNarrow ? (
        <>
          <Button
            variant="default"
            onClick={toggle}
            aria-expanded={opened}
            aria-controls={id}
            leftSection={<IconAdjustmentsHorizontal size={16} stroke={1.75} aria-hidden />}
          >
            {count === 0 ? t("flags.filters") : t("flags.filtersActive", { count })}
          </Button>
          <div id={id} hidden={!opened} className={classes.filters}>
            <Filters />
            <SortSelect />
          </div>
        </>
      ) : (
        <Filters />
      )}
    </search>
  );
}

function Filters() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { search, change } = useFlagsSearch();
  const { data: tags = [] } = useQuery(tagsQuery(projectId));
  const { data: segments = [] } = useQuery(segmentsQuery(projectId));
  const { data: environments = [] } = useQuery(environmentsQuery(projectId));

  return (
    <>
      <Button
        variant={search.favourite ? "light" : "default"}
        aria-pressed={search.favourite === true}
        onClick={() => change({ favourite: search.favourite ? undefined : true })}
        leftSection={<IconStar size={16} stroke={1.75} aria-hidden />}
      >
        {t("flags.favourites")}
      </Button>
      <Filter
        label={t("flags.type")}
        data={[
          { value: "RELEASE", label: t("flags.release") },
          { value: "KILLSWITCH", label: t("flags.killSwitch") },
        ]}
        value={search.type}
        onChange={(value) =>
          change({ type: value === "RELEASE" || value === "KILLSWITCH" ? value : undefined })
        }
      />
      <Filter
        label={t("flags.tag")}
        data={tags.map(({ name }) => ({ value: name, label: name }))}
        value={search.tag}
        onChange={(tag) => change({ tag })}
      />
      <Filter
        label={t("flags.state")}
        data={environments.flatMap(({ id, name: environment }) => [
          { value: `${id} on`, label: t("flags.onIn", { environment }) },
          { value: `${id} off`, label: t("flags.offIn", { environment }) },
        ])}
        value={search.state && `${search.environment} ${search.state}`}
        onChange={(value) => {
          const [id, state] = value?.split(" ") ?? [];
          change({
            environment: id === undefined ? undefined : Number(id),
            state: state === "on" || state === "off" ? state : undefined,
          });
        }}
      />
      {segments.length > 0 && (
        <Filter
          label={t("flags.segment")}
          data={selectOptionsOf(segments)}
          value={search.segment === undefined ? undefined : String(search.segment)}
          onChange={(id) => change({ segment: id === undefined ? undefined : Number(id) })}
        />
      )}
      <OwnerFilter />
      <Filter
        label={t("flags.life")}
        data={[
          { value: "stale", label: t("flags.stale") },
          { value: "archived", label: t("flags.archived") },
        ]}
        value={search.archived ? "archived" : search.stale && "stale"}
        onChange={(value) =>
          change({
            archived: value === "archived" || undefined,
            stale: value === "stale" || undefined,
          })
        }
      />
    </>
  );
}
