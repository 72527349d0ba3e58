import { SegmentedControl } from "@mantine/core";
import { IconArrowsExchange } from "@tabler/icons-react";
import type { Environment } from "../../shared/api/types.ts";
import { EnvironmentSelect } from "../../shared/environments/EnvironmentSelect.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { IconButton } from "../../shared/ui/IconButton.tsx";
import { SearchBox } from "../../shared/list/SearchBox.tsx";
import classes from "./ComparisonControls.module.css";
import { useComparisonSearch } from "./use-comparison-search.ts";

interface Props {
  environments: readonly Environment[];
  from: Environment;
  to: Environment;
  isSearching: boolean;
}

export function ComparisonControls({ environments, from, to, isSearching }: Props) {
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
