import { Select } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { selectOptionsOf } from "../../shared/data/select-options.ts";
import { segmentsQuery, tagsQuery } from "../../shared/data/project-lists.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { flagOwnersQuery } from "../../shared/data/users.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCurrentSession } from "../../shared/session/current-session.tsx";
import classes from "./FlagFilters.module.css";
import { useFlagsSearch } from "./use-flags-search.ts";

export function Filters() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { search, change } = useFlagsSearch();
  const { data: tags = [] } = useQuery(tagsQuery(projectId));
  const { data: segments = [] } = useQuery(segmentsQuery(projectId));
  const { data: environments = [] } = useQuery(environmentsQuery(projectId));

  return (
    <>
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
          { value: `${id} on`, label: t("flagForms.onIn", { environment }) },
          { value: `${id} off`, label: t("flagForms.offIn", { environment }) },
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
      <Filter
        label={t("flags.segment")}
        data={selectOptionsOf(segments)}
        value={search.segment === undefined ? undefined : String(search.segment)}
        onChange={(id) => change({ segment: id === undefined ? undefined : Number(id) })}
      />
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

/** The filter for the owner: the user, and everybody else who owns flags of the project. */
function OwnerFilter() {
  const { t } = useTranslation();
  const { user } = useCurrentSession();
  const { search, change } = useFlagsSearch();
  const [isOpened, setOpened] = useState(false);
  // Loads the other names only when the list of options opens, or to show the name of a chosen
  // owner.
  const enabled = isOpened || (search.owner !== undefined && search.owner !== user.id);
  const { data = [] } = useQuery({ ...flagOwnersQuery(useProjectId()), enabled });
  const others = data.filter(({ id }) => id !== user.id);
  return (
    <Filter
      label={t("flags.owner")}
      data={[
        { value: String(user.id), label: t("flagForms.ownedByMe") },
        ...others.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={search.owner === undefined ? undefined : String(search.owner)}
      onChange={(id) => change({ owner: id === undefined ? undefined : Number(id) })}
      onOpen={() => setOpened(true)}
    />
  );
}

interface Props {
  label: string;
  data: { value: string; label: string }[];
  value: string | undefined;
  onChange: (value: string | undefined) => void;
  onOpen?: () => void;
}

/** The number of options above which the select of a filter gets a search input. */
const SEARCHABLE = 8;

function Filter({ label, data, value, onChange, onOpen }: Props) {
  const { t } = useTranslation();
  return (
    <Select
      className={classes.filter}
      data-active={value !== undefined || undefined}
      aria-label={label}
      placeholder={label}
      data={data}
      value={value ?? null}
      onChange={(chosen) => onChange(chosen ?? undefined)}
      {...(onOpen && { onDropdownOpen: onOpen })}
      clearable
      clearButtonProps={{ "aria-label": t("flagForms.clearFilter", { filter: label }) }}
      searchable={data.length > SEARCHABLE}
      nothingFoundMessage={t("flagForms.nothingToChoose")}
      comboboxProps={{ width: "max-content", position: "bottom-start" }}
      maxDropdownHeight={320}
    />
  );
}
