import { Table } from "@mantine/core";
import { memo } from "react";
import type { EnrichedFlag } from "../../shared/api/types.ts";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ActionsHeader } from "../../shared/ui/RowActions.tsx";
import { ScrollableTable } from "../../shared/ui/ScrollableTable.tsx";
import { FlagCheckbox } from "./bulk/FlagCheckbox.tsx";
import { PageCheckbox } from "./bulk/PageCheckbox.tsx";
import type { Toggle } from "./bulk/selection.ts";
import { type Columns, environmentColumn, FACTS } from "./columns.ts";
import { FlagMenu } from "./deferred.tsx";
import { EnvironmentState } from "./EnvironmentState.tsx";
import { Fact, FactHeader } from "./FactCell.tsx";
import { FlagName } from "./FlagName.tsx";
import classes from "./FlagTable.module.css";
import type { FlagListProps } from "./list-props.ts";
import { OtherEnvironments } from "./OtherEnvironments.tsx";
import { SortHeader } from "./SortHeader.tsx";

/**
 * The widths of the columns, rem. The name has at least this width, and the rest of the table. A
 * table with fixed widths does not move when usage and owners arrive.
 */
const WIDTHS = {
  select: 2.5,
  name: 16,
  environment: 8,
  fewEnvironments: 9.25,
  others: 6,
  fact: 8,
  menu: 3,
} as const;

/**
 * The flags of the flags page as a table. Memoised, because rendering up to 50 rows again for every
 * letter typed into the search box is too slow.
 */
export const FlagTable = memo(function FlagTable({
  flags,
  selection,
  favouriteIds,
  columns,
  usage,
  onFavourite,
}: FlagListProps) {
  const { t } = useTranslation();
  // The environments of the first flag serve as the columns, because every flag lists all
  // environments of the project in the same order.
  const all = flags[0]?.environments ?? [];
  const environments = all.filter(({ id }) => columns.has(environmentColumn(id)));
  const facts = FACTS.filter((fact) => columns.has(fact));
  const hasOthers = columns.has("others") && environments.length < all.length;
  const hasRoom = environments.length <= 3 && !hasOthers;
  const environmentWidth = hasRoom ? WIDTHS.fewEnvironments : WIDTHS.environment;
  const width =
    WIDTHS.name +
    WIDTHS.menu +
    (selection ? WIDTHS.select : 0) +
    environments.length * environmentWidth +
    (hasOthers ? WIDTHS.others : 0) +
    facts.length * WIDTHS.fact;
  return (
    <ScrollableTable label={t("shell.flags")}>
      <Table
        className={classes.table}
        layout="fixed"
        style={{ minWidth: `${width}rem` }}
        data-comfortable={columns.has("comfortable") || undefined}
      >
        <Table.Thead>
          <Table.Tr>
            {selection && (
              <Table.Th scope="col" className={classes.select} w={`${WIDTHS.select}rem`}>
                <PageCheckbox flags={flags} selection={selection} />
              </Table.Th>
            )}
            <SortHeader by="name" first="ascending">
              {t("flags.flag")}
            </SortHeader>
            {environments.map(({ id, name }) => (
              <Table.Th key={id} scope="col" w={`${environmentWidth}rem`}>
                <EnvironmentChip id={id} name={name} />
              </Table.Th>
            ))}
            {hasOthers && (
              <Table.Th scope="col" w={`${WIDTHS.others}rem`}>
                {t("flags.otherEnvironments")}
              </Table.Th>
            )}
            {facts.map((fact) => (
              <FactHeader key={fact} fact={fact} width={`${WIDTHS.fact}rem`} />
            ))}
            <ActionsHeader w={`${WIDTHS.menu}rem`} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {flags.map((flag) => (
            <FlagRow
              key={flag.id}
              flag={flag}
              columns={columns}
              usage={usage?.get(flag.id)}
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
  columns: Columns;
  /** The evaluations per day. */
  usage: readonly number[] | undefined;
  /** Undefined while the favourites are loading. */
  isFavourite: boolean | undefined;
  isSelected?: boolean;
  onToggle?: (toggle: Toggle) => void;
}

/** Memoised, so that selecting one flag does not render the other rows again. */
const FlagRow = memo(function FlagRow({
  flag,
  columns,
  usage,
  isFavourite,
  onFavourite,
  isSelected = false,
  onToggle,
}: RowProps) {
  const environments = flag.environments.filter(({ id }) => columns.has(environmentColumn(id)));
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
        <FlagName
          flag={flag}
          isFavourite={isFavourite}
          hasTags={columns.has("tags")}
          onFavourite={onFavourite}
        />
      </Table.Th>
      {environments.map((environment) => (
        <Table.Td key={environment.id}>
          <EnvironmentState flag={flag} environment={environment} />
        </Table.Td>
      ))}
      {columns.has("others") && environments.length < flag.environments.length && (
        <Table.Td>
          <OtherEnvironments flag={flag} columns={columns} />
        </Table.Td>
      )}
      {FACTS.filter((fact) => columns.has(fact)).map((fact) => (
        <Table.Td key={fact} className={classes.fact}>
          <Fact fact={fact} flag={flag} usage={usage} />
        </Table.Td>
      ))}
      <Table.Td className={classes.menu}>
        <FlagMenu flag={flag} />
      </Table.Td>
    </Table.Tr>
  );
});
