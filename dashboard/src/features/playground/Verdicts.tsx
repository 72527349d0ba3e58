import { Progress, SegmentedControl, Text, TextInput, Title } from "@mantine/core";
import { IconSearch, IconSearchOff } from "@tabler/icons-react";
import { useDeferredValue, useMemo, useState } from "react";
import { evaluateRule, newBatch } from "@feature-flags/evaluation/evaluate";
import type { EvaluationContext } from "@feature-flags/evaluation/rule";
import type { Environment } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPagination } from "../../shared/list/ListPagination.tsx";
import { EmptyProjectHint } from "../../shared/start/EmptyProjectHint.tsx";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { ErrorAlert } from "../../shared/ui/ErrorAlert.tsx";
import { Loading } from "../../shared/ui/QueryView.tsx";
import {
  type FlagWithRule,
  type KnownFlags,
  NO_FLAGS,
  type useFlagsWithRules,
} from "./use-flags-with-rules.ts";
import type { PlaygroundSearch } from "./search-params.ts";
import { VerdictRow } from "./VerdictRow.tsx";
import classes from "./Verdicts.module.css";

interface Props {
  environment: Environment;
  flags: ReturnType<typeof useFlagsWithRules>;
  context: EvaluationContext;
  initialSearch: string;
  onSearch: (search: string) => void;
  /** The key of the flag whose explanation is open at first. */
  flag: string | undefined;
  only: PlaygroundSearch["only"];
  onOnly: (only: PlaygroundSearch["only"]) => void;
  page: number;
  onPage: (page: number) => void;
}

const ROWS_PER_PAGE = 50;

/** The results of all flags of the environment, with a search box, a filter and pages. */
export function Verdicts(props: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { loaded, evaluable, known, total, isComplete, error, retry } = props.flags;
  return (
    <section aria-labelledby="verdicts-title" className={classes.section}>
      <Title order={2} size="h4" id="verdicts-title" mb="sm">
        {t("playground.verdicts")}
      </Title>
      {error && <ErrorAlert error={error} onRetry={retry} />}
      {!loaded && !error && <Loading />}
      {loaded && !isComplete && !error && (
        <div className={classes.progress}>
          <Text size="sm" c="dimmed">
            {t("playground.loaded", {
              loaded: number(loaded.length),
              total: number(total),
            })}
          </Text>
          <Progress
            size="sm"
            value={(loaded.length / total) * 100}
            aria-label={t("playground.loading")}
          />
        </div>
      )}
      {loaded?.length === 0 && <EmptyProjectHint />}
      {evaluable && evaluable.length > 0 && (
        <VerdictList {...props} evaluable={evaluable} known={known} />
      )}
    </section>
  );
}

function VerdictList({
  environment,
  context: typed,
  initialSearch,
  onSearch,
  flag,
  only,
  onOnly,
  page,
  onPage,
  evaluable,
  known,
}: Omit<Props, "flags"> & { evaluable: readonly FlagWithRule[]; known: KnownFlags }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const [search, setSearch] = useState(initialSearch);
  // Defer the evaluation of the flags, so that typing stays responsive in a project with thousands
  // of flags.
  const context = useDeferredValue(typed);
  const query = useDeferredValue(search).trim().toLowerCase();

  const evaluated = useMemo(() => {
    const batch = newBatch();
    return evaluable.map((entry) => ({
      entry,
      isOn: evaluateRule(entry.compiled, context, batch).enabled,
    }));
  }, [evaluable, context]);
  const found = useMemo(
    () => evaluated.filter(({ entry }) => isFound(entry.flag, query)),
    [evaluated, query],
  );
  const on = found.filter(({ isOn }) => isOn).length;
  const off = found.length - on;
  const matching =
    only === undefined ? found : found.filter(({ isOn }) => isOn === (only === "on"));
  const pages = Math.max(1, Math.ceil(matching.length / ROWS_PER_PAGE));
  const current = Math.min(page, pages);
  const shown = matching.slice((current - 1) * ROWS_PER_PAGE, current * ROWS_PER_PAGE);

  return (
    <>
      <div className={classes.filters}>
        <TextInput
          type="search"
          className={classes.search}
          aria-label={t("playground.searchFlags")}
          placeholder={t("playground.searchFlags")}
          leftSection={<IconSearch size={16} stroke={1.75} aria-hidden />}
          value={search}
          onChange={({ currentTarget: { value } }) => {
            setSearch(value);
            onSearch(value);
          }}
        />
        <SegmentedControl
          aria-label={t("playground.show")}
          data={[
            { value: "all", label: `${t("common.all")} ${number(found.length)}` },
            { value: "on", label: `${t("common.on")} ${number(on)}` },
            { value: "off", label: `${t("common.off")} ${number(off)}` },
          ]}
          value={only ?? "all"}
          onChange={(value) => {
            onOnly(value === "on" || value === "off" ? value : undefined);
          }}
        />
      </div>
      <Text size="sm" c="dimmed" role="status" mb="xs">
        {t("playground.counted", {
          on: number(on),
          off: number(off),
          environment: environment.name,
        })}
      </Text>
      {shown.length === 0 ? (
        <EmptyState Icon={IconSearchOff} title={t("playground.nothingFound")} />
      ) : (
        <ul className={classes.list}>
          {shown.map(({ entry }) => (
            <VerdictRow
              key={entry.flag.id}
              entry={entry}
              known={entry.rule.prerequisites ? known : NO_FLAGS}
              context={context}
              environment={environment}
              isOpenAtFirst={entry.flag.key === flag}
            />
          ))}
        </ul>
      )}
      <ListPagination page={current} pages={pages} onPage={onPage} />
    </>
  );
}

const isFound = ({ name, key }: { name: string; key: string }, query: string): boolean =>
  query === "" || name.toLowerCase().includes(query) || key.toLowerCase().includes(query);
