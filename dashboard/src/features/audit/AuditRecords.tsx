import { Anchor, Button, Group, Paper, Text, Title } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { AuditRecord } from "../../shared/api/types.ts";
import type { AuditRecordPage } from "../../shared/history/audit-query.ts";
import { RecordItem, RecordList } from "../../shared/history/RecordItem.tsx";
import { type ItemNames, itemNames } from "../../shared/history/item-names.ts";
import { useRecordText } from "../../shared/history/use-record-text.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPagination } from "../../shared/list/ListPagination.tsx";
import { dateOf, DAY_MS } from "../../shared/time.ts";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import type { AuditProps } from "./AuditFilters.tsx";
import { AuditedItem } from "./AuditedItem.tsx";
import { type AuditSearch, isFiltered } from "./search-params.ts";

interface Props extends AuditProps {
  records: UseQueryResult<AuditRecordPage>;
}

export function AuditRecords({ projectId, search, onChange, records }: Props) {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (
    <QueryView query={records}>
      {({ items, totalItems, totalPages, fetchedAt, related, searchedSince }) => (
        <div style={{ opacity: records.isPlaceholderData ? 0.6 : 1 }}>
          {search.id !== undefined && (
            <OnlyThing
              records={items}
              names={itemNames(related)}
              onShowAll={() => onChange({ ...search, type: undefined, id: undefined })}
            />
          )}
          <Text size="sm" c="dimmed" mb="xs" role="status">
            {t("history.audit.count", { count: totalItems, formatted: number(totalItems) })}
          </Text>
          {searchedSince !== undefined && (
            <SearchedSince
              at={searchedSince}
              onOlder={(to) =>
                onChange({ ...search, range: undefined, from: undefined, to, page: undefined })
              }
            />
          )}
          {totalItems === 0 ? (
            <Nothing search={search} onClear={() => onChange({})} />
          ) : (
            <Days
              records={items}
              names={itemNames(related)}
              fetchedAt={fetchedAt}
              isOfEverything={projectId === undefined}
            />
          )}
          <ListPagination
            page={search.page ?? 1}
            pages={totalPages}
            isEmpty={items.length === 0}
            onPage={(page, how) => onChange({ ...search, page }, how)}
          />
        </div>
      )}
    </QueryView>
  );
}

interface DaysProps {
  records: readonly AuditRecord[];
  names: ItemNames;
  /** The time at which the audit records were fetched, in epoch milliseconds. */
  fetchedAt: number;
  isOfEverything: boolean;
}

function Days({ records, names, fetchedAt, isOfEverything }: DaysProps) {
  const days = useRecordsByDay(records, fetchedAt);
  return days.map(({ name, records: ofDay }) => (
    <section key={name}>
      <Title order={2} size="h5" mt="md" mb="xs">
        {name}
      </Title>
      <Paper withBorder radius="md">
        <RecordList>
          {ofDay.map((record, index) => (
            <RecordItem
              key={record.id}
              record={record}
              grouped={isSameActor(record, ofDay[index - 1]) ? "further" : "first"}
              names={names}
              item={<AuditedItem record={record} names={names} />}
              projectName={
                isOfEverything && record.projectId !== null && record.entityType !== "project"
                  ? names.of("project", record.projectId)
                  : undefined
              }
            />
          ))}
        </RecordList>
      </Paper>
    </section>
  ));
}

/** Whether the same person, service account, API key or the service itself made both changes. */
const isSameActor = (
  { actor, token, via }: AuditRecord,
  before: AuditRecord | undefined,
): boolean =>
  before !== undefined &&
  token?.id === before.token?.id &&
  via === before.via &&
  actor.kind === before.actor.kind &&
  actor.id === before.actor.id &&
  actor.name === before.actor.name;

/** Says how far a search reached, and continues it with older records. `at` is ISO 8601. */
function SearchedSince({ at, onOlder }: { at: string; onOlder: (to: string) => void }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  return (
    <Text size="sm" mb="xs">
      {t("history.audit.searchedSince", { date: dateTime(at) })}{" "}
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => onOlder(dateOf(Date.parse(at)))}
      >
        {t("history.audit.searchOlder")}
      </Anchor>
    </Text>
  );
}

function OnlyThing({
  records,
  names,
  onShowAll,
}: {
  records: readonly AuditRecord[];
  names: ItemNames;
  onShowAll: () => void;
}) {
  const { t } = useTranslation();
  const latest = records.slice(0, 1);
  const recordText = useRecordText(names);
  return (
    <Group gap="xs" mb="xs">
      {latest.map((record) => (
        <Text key={record.id} size="sm" fw={600}>
          {t("history.audit.only", { thing: recordText.item(record) })}
        </Text>
      ))}
      <Anchor component="button" type="button" size="sm" onClick={onShowAll}>
        {t("history.audit.showAll")}
      </Anchor>
    </Group>
  );
}

function Nothing({ search, onClear }: { search: AuditSearch; onClear: () => void }) {
  const { t } = useTranslation();
  if (!isFiltered(search))
    return (
      <EmptyState Icon={IconHistory} title={t("history.audit.empty")}>
        {t("history.audit.emptyText")}
      </EmptyState>
    );
  return (
    <EmptyState
      Icon={IconHistory}
      title={t("history.audit.nothingFound")}
      action={
        <Button variant="default" onClick={onClear}>
          {t("history.audit.clear")}
        </Button>
      }
    />
  );
}

interface Day {
  name: string;
  records: AuditRecord[];
}

/**
 * A hook that groups audit records, sorted newest first, by day in the time zone of the browser.
 * `now` (epoch milliseconds) decides which days are named "today" and "yesterday".
 */
function useRecordsByDay(records: readonly AuditRecord[], now: number): Day[] {
  const { t } = useTranslation();
  const { date } = useFormat();
  const [today, yesterday] = [dateOf(now), dateOf(now - DAY_MS)];
  const nameOf = (at: string): string => {
    const day = dateOf(Date.parse(at));
    if (day === today) return t("history.audit.today");
    return day === yesterday ? t("history.audit.yesterday") : date(at);
  };
  const days: Day[] = [];
  for (const record of records) {
    const name = nameOf(record.at);
    const last = days.at(-1);
    if (last?.name === name) last.records.push(record);
    else days.push({ name, records: [record] });
  }
  return days;
}
