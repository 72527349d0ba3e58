import { Checkbox, Text, Button } from "@mantine/core";
import { IconArrowsDiff, IconSearchOff, IconCopy } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Environment } from "../../shared/api/types.ts";
import { segmentsQuery } from "../../shared/data/project-lists.ts";
import { useProjectId } from "../../shared/data/use-project-id.ts";
import { MAX_BULK_FLAGS } from "../../shared/flags/max-bulk-flags.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ListPagination } from "../../shared/list/ListPagination.tsx";
import { useCan } from "../../shared/session/current-session.tsx";
import { useStrategySentence } from "../../shared/strategy/use-rule-words.ts";
import { EmptyState } from "../../shared/ui/EmptyState.tsx";
import { FormModal } from "../../shared/ui/FormModal.tsx";
import { useDialog } from "../../shared/ui/use-dialog.ts";
import { CopyForm } from "./CopyForm.tsx";
import type { ComparedFlag, Comparison } from "./comparison-query.ts";
import { ComparisonRow } from "./ComparisonRow.tsx";
import classes from "./ComparisonList.module.css";
import { useComparisonSearch } from "./use-comparison-search.ts";

interface Props {
  comparison: Comparison;
  /**
   * True while the list still shows the flags of the previous filters, because the next ones load.
   */
  isOutdated: boolean;
  from: Environment;
  to: Environment;
}

const PAGE_SIZE = 50;

export function ComparisonList({ comparison: { flags, left }, isOutdated, from, to }: Props) {
  const { t } = useTranslation();
  const { search, change } = useComparisonSearch();
  const { data: segments = [] } = useQuery(segmentsQuery(useProjectId()));
  const describe = useStrategySentence(new Map(segments.map((one) => [one.id, one])));
  const canCopy = useCan("strategy:write");
  const [chosen, setChosen] = useState<ReadonlySet<number>>(new Set());
  const differing = flags.filter(({ fields }) => fields.length > 0);
  const selected = isOutdated ? [] : differing.filter(({ flag }) => chosen.has(flag.id));
  const select = (some: readonly ComparedFlag[]) =>
    setChosen(new Set(some.map(({ flag }) => flag.id)));
  const pages = Math.max(1, Math.ceil(flags.length / PAGE_SIZE));
  const page = Math.min(search.page ?? 1, pages);
  const shown = flags.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE);

  return (
    <>
      <div className={classes.head}>
        {canCopy && differing.length > 0 && (
          <SelectAll
            differing={differing}
            selected={selected}
            onSelect={select}
            isDisabled={isOutdated}
          />
        )}
        <Text size="sm" c="dimmed" role="status">
          {t("comparison.differ", { count: differing.length })}
          {left > 0 && ` · ${t("comparison.left", { count: left })}`}
        </Text>
        {canCopy && (
          <CopyFlags
            flags={selected}
            current={flags}
            from={from}
            to={to}
            onCopied={() => select([])}
          />
        )}
      </div>
      {flags.length === 0 ? (
        <Nothing from={from} to={to} />
      ) : (
        <ul className={classes.list} data-outdated={isOutdated || undefined}>
          {shown.map((compared) => (
            <ComparisonRow
              key={compared.flag.id}
              compared={compared}
              from={from}
              to={to}
              describe={describe}
              selection={
                canCopy && compared.fields.length > 0
                  ? {
                      isSelected: chosen.has(compared.flag.id),
                      onSelect: (isOn) =>
                        select(
                          differing.filter(({ flag: { id } }) =>
                            id === compared.flag.id ? isOn : chosen.has(id),
                          ),
                        ),
                    }
                  : undefined
              }
            />
          ))}
        </ul>
      )}
      <ListPagination
        page={page}
        pages={pages}
        onPage={(next, how) => change({ page: next }, how)}
      />
    </>
  );
}

interface SelectAllProps {
  differing: readonly ComparedFlag[];
  selected: readonly ComparedFlag[];
  onSelect: (flags: readonly ComparedFlag[]) => void;
  isDisabled: boolean;
}

/** The checkbox that selects all flags that differ, or as many as one request can copy. */
function SelectAll({ differing, selected, onSelect, isDisabled }: SelectAllProps) {
  const { t } = useTranslation();
  const most = differing.slice(0, MAX_BULK_FLAGS);
  const isAll = selected.length >= most.length;
  return (
    <Checkbox
      label={
        differing.length > MAX_BULK_FLAGS
          ? t("comparison.selectFirst", { count: MAX_BULK_FLAGS })
          : t("comparison.selectAll")
      }
      checked={isAll}
      indeterminate={selected.length > 0 && !isAll}
      disabled={isDisabled}
      onChange={() => onSelect(isAll ? [] : most)}
    />
  );
}

function Nothing({ from, to }: Pick<Props, "from" | "to">) {
  const { t } = useTranslation();
  const { search } = useComparisonSearch();
  return search.search === undefined ? (
    <EmptyState Icon={IconArrowsDiff} title={t("comparison.none")}>
      {t("comparison.noneText", { from: from.name, to: to.name })}
    </EmptyState>
  ) : (
    <EmptyState Icon={IconSearchOff} title={t("comparison.noMatch")}>
      {t("comparison.noMatchText")}
    </EmptyState>
  );
}

interface CopyFlagsProps {
  flags: readonly ComparedFlag[];
  /** All flags of the comparison as they were last loaded. */
  current: readonly ComparedFlag[];
  from: Environment;
  to: Environment;
  onCopied: () => void;
}

/** A button that opens a dialog, which shows what will be copied and copies it. */
function CopyFlags({ flags, current, from, to, onCopied }: CopyFlagsProps) {
  const { t } = useTranslation();
  // The dialog keeps what the user has seen, even if the comparison is loaded again meanwhile.
  const { subject, isOpen, open, close } = useDialog<readonly ComparedFlag[]>();
  const names = { from: from.name, to: to.name };
  return (
    <>
      {flags.length > MAX_BULK_FLAGS && (
        <Text size="sm" c="red" role="alert">
          {t("bulk.tooMany", { count: MAX_BULK_FLAGS })}
        </Text>
      )}
      {flags.length > 0 && (
        <Button
          ms="auto"
          leftSection={<IconCopy size={16} stroke={1.75} aria-hidden />}
          disabled={flags.length > MAX_BULK_FLAGS}
          onClick={() => open(flags)}
        >
          {t("comparison.copy", { count: flags.length, environment: to.name })}
        </Button>
      )}
      {subject && (
        <FormModal
          title={t("comparison.dialog.title", { ...names, count: subject.length })}
          opened={isOpen}
          onClose={close}
          size="lg"
          isConfirmation
        >
          <CopyForm
            flags={subject}
            current={current}
            from={from}
            to={to}
            onCancel={close}
            onCopied={() => {
              close();
              onCopied();
            }}
          />
        </FormModal>
      )}
    </>
  );
}
