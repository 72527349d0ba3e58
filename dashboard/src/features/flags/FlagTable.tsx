import { Table } from "@mantine/core";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import type { EnrichedFlag } from "../../shared/api/types.ts";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { ActionsHeader } from "../../shared/ui/RowActions.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { ScrollableTable } from "../../shared/ui/ScrollableTable.tsx";
import { FlagCheckbox } from "./bulk/FlagCheckbox.tsx";
import { PageCheckbox } from "./bulk/PageCheckbox.tsx";
import type { Toggle } from "./bulk/selection.ts";
import type { FlagListProps } from "./list-props.ts";
import { EnvironmentState } from "./EnvironmentState.tsx";
import { FlagMenu } from "./deferred.tsx";
import { FlagName } from "./FlagName.tsx";
import classes from "./FlagTable.module.css";
import { SortHeader } from "./SortHeader.tsx";

/**
 * The flags of the flags page as a table. Memoised, because rendering up to 50 rows again for every
 * letter typed into the search box is too slow.
 */
export const FlagTable = memo(function FlagTable({
  flags,
  selection,
  favouriteIds,
  onFavourite,
}: FlagListProps) {
  const { t } = useTranslation();
  // The environments of the first flag serve as the columns, because every flag lists all
  // environments of the project in the same order.
  const environments = flags[0]?.environments ?? [];
  return (
    <ScrollableTable label={t("shell.flags")}>
      <Table className={classes.table} verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th scope="col" className={classes.select}>
                <PageCheckbox flags={flags} selection={selection} />
              </Table.Th>
            )}
            <SortHeader by="name" first="ascending">
              {t("flags.flag")}
            </SortHeader>
            {environments.map(({ id, name }) => (
              <Table.Th key={id} scope="col" className={classes.environment}>
                <EnvironmentChip id={id} name={name} />
              </Table.Th>
            ))}
            <SortHeader by="lastUsedAt" first="descending">
              {t("flags.lastUsed")}
            </SortHeader>
            <SortHeader by="createdAt" first="descending">
              {t("flags.created")}
            </SortHeader>
            <ActionsHeader />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {flags.map((flag) => (
            <FlagRow
              key={flag.id}
              flag={flag}
              isFavourite={favouriteIds?.has(flag.id)}
              onFavourite={onFavourite}
              {...(selection && {
                onToggle: selection.toggle,
                isSelected: selection.chosen.has(flag.id),
              })}
            />
          ))}
        </Table.Tbody>
      </Table>
    </ScrollableTable>
  );
});

interface RowProps extends Pick<FlagListProps, "onFavourite"> {
  flag: EnrichedFlag;
  /** Undefined while the favourites are loading. */
  isFavourite: boolean | undefined;
  isSelected?: boolean;
  onToggle?: (toggle: Toggle) => void;
}

/** Memoised, so that selecting one flag does not render the other rows again. */
const FlagRow = memo(function FlagRow({
  flag,
  isFavourite,
  onFavourite,
  isSelected = false,
  onToggle,
}: RowProps) {
  return (
    <Table.Tr
      data-kill={flag.flagType === "KILLSWITCH" || undefined}
      data-selected={isSelected || undefined}
    >
      {onToggle && (
        <Table.Td className={classes.select}>
          <FlagCheckbox flag={flag} isSelected={isSelected} onToggle={onToggle} />
        </Table.Td>
      )}
      <Table.Th scope="row" className={classes.name}>
        <FlagName flag={flag} isFavourite={isFavourite} onFavourite={onFavourite} />
      </Table.Th>
      {flag.environments.map((environment) => (
        <Table.Td key={environment.id}>
          <EnvironmentState flag={flag} environment={environment} />
        </Table.Td>
      ))}
      <Table.Td className={classes.time}>
        <TimeAgo at={flag.lastUsedAt} />
      </Table.Td>
      <Table.Td className={classes.time}>
        <TimeAgo at={flag.createdAt} />
      </Table.Td>
      <Table.Td className={classes.menu}>
        <FlagMenu flag={flag} />
      </Table.Td>
    </Table.Tr>
  );
});
