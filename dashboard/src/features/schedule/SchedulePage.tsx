import { Paper, Stack, Text, Title } from "@mantine/core";
import { IconCalendarClock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Schemas } from "../../shared/api/types.ts";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { validateListSearch } from "../../shared/list/list-search-params.ts";
import { ListPagination } from "../../shared/list/ListPagination.tsx";
import { PlannedTime } from "../../shared/schedule/PlannedTime.tsx";
import { scheduleQuery } from "../../shared/schedule/queries.ts";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import classes from "./SchedulePage.module.css";

type Planned = Schemas["Planned"];

const route = getRouteApi("/projects/$projectId/schedule");

/** What the service will change in the project, by day. */
export function SchedulePage() {
  const { t } = useTranslation();
  const { date } = useFormat();
  const { projectId } = route.useParams();
  const { page = 1 } = route.useSearch();
  const navigate = route.useNavigate();
  const planned = useQuery(scheduleQuery({ projectId, page }));
  return (
    <>
      <PageHeader title={t("shell.schedule")} description={t("schedule.about")} />
      <QueryView query={planned}>
        {({ items, totalItems, totalPages }) => (
          <>
            {totalItems === 0 ? (
              <EmptyState
                Icon={IconCalendarClock}
                title={t("schedule.none")}
                docs="/docs/safe-production.md"
              >
                {t("schedule.noneText")}
              </EmptyState>
            ) : (
              <Stack gap="lg">
                {[...Map.groupBy(items, ({ at }) => (at === null ? "" : date(at)))].map(
                  ([day, ofDay]) => (
                    <section key={day} aria-label={day}>
                      <Title order={2} size="h5" mb="xs">
                        {day}
                      </Title>
                      <ol className={classes.list}>
                        {ofDay.map((one) => (
                          <PlannedItem key={`${one.kind} ${one.id}`} planned={one} />
                        ))}
                      </ol>
                    </section>
                  ),
                )}
              </Stack>
            )}
            <ListPagination
              page={page}
              pages={totalPages}
              isEmpty={items.length === 0}
              onPage={(chosen, { replace }) =>
                void navigate({ search: validateListSearch({ page: chosen }), replace })
              }
            />
          </>
        )}
      </QueryView>
    </>
  );
}

function PlannedItem({ planned }: { planned: Planned }) {
  const { t } = useTranslation();
  const { kind, id, projectId, at, title, flag, environment, blockedBy } = planned;
  return (
    <Paper component="li" withBorder radius="md" p="md" className={classes.item}>
      <div className={classes.words}>
        {kind === "change-request" ? (
          <LinkAnchor
            size="sm"
            fw={600}
            to="/projects/$projectId/change-requests/$requestId"
            params={{ projectId, requestId: id }}
          >
            {title}
          </LinkAnchor>
        ) : (
          flag && (
            <LinkAnchor
              size="sm"
              fw={600}
              to="/projects/$projectId/flags/$flagId"
              params={{ projectId, flagId: flag.id }}
              search={environment ? { environment: environment.id } : {}}
            >
              {t("schedule.nextStep", { flag: flag.key })}
            </LinkAnchor>
          )
        )}
        <Text size="sm" c="dimmed">
          {at !== null && <PlannedTime at={at} />}
        </Text>
        {blockedBy !== null && (
          <Text size="sm" c="red">
            {t("schedule.blocked", { reason: blockedBy })}
          </Text>
        )}
      </div>
      {environment && <EnvironmentChip id={environment.id} name={environment.name} />}
    </Paper>
  );
}
