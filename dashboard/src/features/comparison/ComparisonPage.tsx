import { SegmentedControl } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { Environment } from "../../shared/api/types.ts";
import { defaultEnvironment, environmentsQuery } from "../../shared/data/environments.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { EnvironmentSelect } from "../../shared/environments/EnvironmentSelect.tsx";
import { NoEnvironments } from "../../shared/environments/NoEnvironments.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { SearchBox } from "../../shared/list/SearchBox.tsx";
import { IconButton } from "../../shared/ui/IconButton.tsx";
import { BackLink } from "../../shared/ui/links.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { comparisonQuery } from "./comparison-query.ts";
import { ComparisonList } from "./ComparisonList.tsx";
import { useComparisonSearch } from "./use-comparison-search.ts";
import classes from "./ComparisonPage.module.css";

/** The page that compares two environments, and copies the targeting of flags between them. */
export function ComparisonPage() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const environments = useQuery(environmentsQuery(projectId));
  const { search } = useComparisonSearch();
  return (
    <>
      <BackLink to="/projects/$projectId/environments" params={{ projectId }}>
        {t("shell.environments")}
      </BackLink>
      <PageHeader title={t("comparison.title")} description={t("comparison.about")} />
      <QueryView query={environments}>
        {(list) => {
          const sides = sidesOf(list, search);
          return sides ? (
            <Compared environments={list} {...sides} />
          ) : (
            <NoEnvironments title={t("comparison.needsTwo")}>
              {t("comparison.needsTwoText")}
            </NoEnvironments>
          );
        }}
      </QueryView>
    </>
  );
}

interface Sides {
  from: Environment;
  to: Environment;
}

/**
 * Returns the environments of the URL. By default, the target is production and the source is the
 * environment before it, from which releases reach production. Undefined without two environments.
 */
function sidesOf(
  environments: readonly Environment[],
  search: { from?: number | undefined; to?: number | undefined },
): Sides | undefined {
  const find = (id: number | undefined) => environments.find((one) => one.id === id);
  const from = find(search.from);
  const others = environments.filter((one) => one !== from);
  const wanted = find(search.to);
  const to = wanted && wanted !== from ? wanted : defaultEnvironment(others);
  if (!to) return undefined;
  const before = environments[environments.indexOf(to) - 1];
  const source = from ?? before ?? environments.find((one) => one !== to);
  return source && { from: source, to };
}

function Compared({ environments, from, to }: Sides & { environments: readonly Environment[] }) {
  const projectId = useProjectId();
  const { search } = useComparisonSearch();
  const isAll = search.show === "all";
  const sides = { from: from.id, to: to.id };
  const comparison = useQuery(
    comparisonQuery({ projectId, ...sides, isAll, search: search.search }),
  );
  return (
    <>
      <ComparisonControls
        environments={environments}
        from={from}
        to={to}
        isSearching={comparison.isPlaceholderData}
      />
      <QueryView query={comparison}>
        {(data) => (
          <ComparisonList
            // The key discards the selection when the user compares other environments.
            key={JSON.stringify([sides, isAll, search.search])}
            comparison={data}
            isOutdated={comparison.isPlaceholderData}
            from={from}
            to={to}
          />
        )}
      </QueryView>
    </>
  );
}

interface Props {
  environments: readonly Environment[];
  from: Environment;
  to: Environment;
  isSearching: boolean;
}

function ComparisonControls({ environments, from, to, isSearching }: Props) {
  const { t } = useTranslation();
  const { search, change } = useComparisonSearch();
  const swap = () => change({ from: to.id, to: from.id });
  return (
    <div className={classes.controls}>
      <EnvironmentSelect
        label={t("comparison.from")}
        environments={environments}
        value={from.id}
        // If the user chooses the environment of the other side, the two sides change places.
        onChange={(id) => (id === to.id ? swap() : change({ from: id, to: to.id }))}
      />
      <IconButton
        label={t("comparison.swap")}
        size={36}
        variant="default"
        onClick={swap}
        className={classes.swap}
      >
        <IconArrowsExchange size={18} stroke={1.75} aria-hidden />
      </IconButton>
      <EnvironmentSelect
        label={t("comparison.to")}
        environments={environments}
        value={to.id}
        onChange={(id) => (id === from.id ? swap() : change({ from: from.id, to: id }))}
      />
      <SegmentedControl
        aria-label={t("comparison.show")}
        data={[
          { value: "differing", label: t("comparison.differing") },
          { value: "all", label: t("comparison.allFlags") },
        ]}
        value={search.show ?? "differing"}
        onChange={(value) => change({ show: value === "all" ? "all" : undefined })}
      />
      <div className={classes.search}>
        <SearchBox
          label={t("comparison.search")}
          value={search.search ?? ""}
          onSearch={(typed) => change({ search: typed === "" ? undefined : typed })}
          isSearching={isSearching}
        />
      </div>
    </div>
  );
}
