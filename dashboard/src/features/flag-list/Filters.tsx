import { useQuery } from "@tanstack/react-query";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { selectOptionsOf } from "../../shared/data/select-options.ts";
import { segmentsQuery } from "../../shared/data/segments.ts";
import { tagsQuery } from "../../shared/data/tags.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { Filter } from "./Filter.tsx";
import { OwnerFilter } from "./OwnerFilter.tsx";
import { useFlagsSearch } from "./use-flags-search.ts";

/** The selects that filter the flags. */
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
