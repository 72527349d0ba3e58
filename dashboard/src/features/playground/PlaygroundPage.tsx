import type { ClientRule, Constraint } from "@feature-flags/evaluation/rule";
import { useDebouncedCallback } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import type { ContextDefinition, Environment } from "../../shared/api/types.ts";
import { contextsQuery } from "../../shared/data/project-lists.ts";
import { environmentsQuery } from "../../shared/data/environments.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { EmptyProjectHint } from "../../shared/start/EmptyProjectHint.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { EnvironmentSelect } from "../../shared/environments/EnvironmentSelect.tsx";
import { ContextCard } from "./ContextCard.tsx";
import classes from "./PlaygroundPage.module.css";
import { useFlagsWithRules, type FlagWithRule } from "./use-flags-with-rules.ts";
import { type PlaygroundSearch, validatePlaygroundSearch } from "./search-params.ts";
import { Verdicts } from "./Verdicts.tsx";

const route = getRouteApi("/projects/$projectId/playground");

/**
 * How long the page waits, in milliseconds, before it writes a changed evaluation context or search
 * text to the URL. Browsers limit the number of URL changes in a short time.
 */
const URL_UPDATE_DELAY_MS = 300;

/** The user enters an evaluation context, and sees the result of every flag, and why. */
export function PlaygroundPage() {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const environments = useQuery(environmentsQuery(projectId));
  const definitions = useQuery(contextsQuery(projectId));
  return (
    <>
      <PageHeader title={t("shell.playground")} description={t("playground.description")} />
      <QueryView query={environments}>
        {([first, ...others]) =>
          first === undefined ? (
            <EmptyProjectHint />
          ) : (
            <QueryView query={definitions}>
              {(data) => <Playground environments={[first, ...others]} definitions={data} />}
            </QueryView>
          )
        }
      </QueryView>
    </>
  );
}

interface Props {
  environments: readonly [Environment, ...Environment[]];
  definitions: readonly ContextDefinition[];
}

function Playground({ environments, definitions }: Props) {
  const { t } = useTranslation();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const [context, setContext] = useState(search.context ?? {});
  const environment = environments.find(({ id }) => id === search.environment) ?? environments[0];
  const flags = useFlagsWithRules(useProjectId(), environment.id);
  const suggestedValues = useMemo(() => matchingValues(flags.loaded ?? []), [flags.loaded]);

  const write = (change: { [K in keyof PlaygroundSearch]: PlaygroundSearch[K] | undefined }) =>
    void navigate({
      search: (previous) => validatePlaygroundSearch({ ...previous, ...change }),
      replace: true,
    });
  const writeContext = useDebouncedCallback(
    (typed: PlaygroundSearch["context"]) => write({ context: typed }),
    URL_UPDATE_DELAY_MS,
  );
  const writeSearch = useDebouncedCallback(
    (typed: string) => write({ search: typed, page: undefined }),
    URL_UPDATE_DELAY_MS,
  );

  return (
    <div className={classes.columns}>
      <div className={classes.context}>
        <EnvironmentSelect
          label={t("playground.environment")}
          environments={environments}
          value={environment.id}
          onChange={(id) => write({ environment: id, page: undefined })}
        />
        <ContextCard
          initial={context}
          definitions={definitions}
          suggestedValues={suggestedValues}
          onChange={(changed) => {
            setContext(changed);
            writeContext(changed);
          }}
        />
      </div>
      <Verdicts
        key={environment.id}
        environment={environment}
        flags={flags}
        context={context}
        flag={search.flag}
        initialSearch={search.search ?? ""}
        onSearch={writeSearch}
        only={search.only}
        onOnly={(only) => write({ only, page: undefined })}
        page={search.page ?? 1}
        onPage={(page) => write({ page })}
      />
    </div>
  );
}

/**
 * For these operators, each value of a constraint satisfies the constraint itself. For example, 5
 * is at least 5, so it satisfies `gte`.
 */
const MET_BY_VALUE = new Set(["in", "equals", "gte", "lte"]);

/** Returns values that satisfy at least one constraint in the rules, by context field. */
function matchingValues(flags: readonly FlagWithRule[]): ReadonlyMap<string, readonly string[]> {
  const byField = new Map<string, Set<string>>();
  for (const constraint of flags.flatMap(({ rule }) => constraintsOf(rule))) {
    const values = byField.get(constraint.field) ?? new Set();
    for (const value of valuesMeeting(constraint)) values.add(value);
    byField.set(constraint.field, values);
  }
  return new Map([...byField].map(([field, values]) => [field, [...values]]));
}

/** Returns the constraints of all rules of a flag, including those of the segments. */
const constraintsOf = ({ activation, rules = [] }: ClientRule): Constraint[] =>
  [...rules, activation].flatMap(({ constraints, segments }) =>
    constraints.concat(segments.flatMap((segment) => segment.constraints)),
  );

function valuesMeeting({ operator, values, contextType, inverted }: Constraint): readonly string[] {
  if (inverted) return [];
  // Complete the value of an `endsWith` constraint, such as `@example.com`, to an email address.
  if (operator === "endsWith")
    return values.filter((end) => end.startsWith("@")).map((end) => `ann${end}`);
  if (!MET_BY_VALUE.has(operator)) return [];
  return contextType === "ip" ? values.filter((value) => !value.includes("/")) : values;
}
