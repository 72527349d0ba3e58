import { VisuallyHidden } from "@mantine/core";
import { memo, Suspense, useSyncExternalStore } from "react";
import type { EnrichedFlag } from "../../shared/api/types.ts";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { ScrollableTable } from "../../shared/ui/ScrollableTable.tsx";
import { FlagCheckbox, PageCheckbox } from "./bulk/FlagCheckbox.tsx";
import type { Toggle } from "./bulk/selection.ts";
import { type Columns, environmentColumn, FACTS } from "./columns.ts";
import { FlagMenu } from "./lazy.ts";
import { EnvironmentState } from "./EnvironmentState.tsx";
import { Fact, FactHeader } from "./FactCell.tsx";
import { FlagName } from "./FlagName.tsx";
import classes from "./FlagTable.module.css";
import type { FlagListProps } from "./list-props.ts";
import { OtherEnvironments } from "./OtherEnvironments.tsx";
import { SortHeader } from "./SortHeader.tsx";

/**
 * The widths of the columns, rem. The column of the name has at least this width, and takes the
 * rest of the table. A table with fixed widths does not move when usage and owners arrive. Three
 * environments fit into a window of 1024 px.
 */
const WIDTHS = {
  select: 2.5,
  name: 13,
  environment: 8.25,
  fewEnvironments: 9.25,
  others: 6,
  fact: 8,
  menu: 3,
} as const;

/**
 * The flags of the flags page as a table. Memoised, because rendering up to 50 rows again for every
 * letter typed into the search box is too slow. Not a `Table` of Mantine, which is a component for
 * each cell, so its rows would render three times as slowly (docs/build/performance.md).
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
  const wanted = FACTS.filter((fact) => columns.has(fact));
  const hasOthers = columns.has("others") && environments.length < all.length;
  const widthWith = (environment: number, count: number) =>
    WIDTHS.name +
    WIDTHS.menu +
    (selection ? WIDTHS.select : 0) +
    environments.length * environment +
    (hasOthers ? WIDTHS.others : 0) +
    count * WIDTHS.fact;
  const room = useRoom();
  const hasRoom = widthWith(WIDTHS.fewEnvironments, wanted.length) <= room;
  const environmentWidth =
    hasRoom && environments.length <= 3 && !hasOthers ? WIDTHS.fewEnvironments : WIDTHS.environment;
  // Leaves out the last facts that do not fit. If not even the environments fit, the table scrolls
  // sideways and has all facts.
  const fitting = Math.floor((room - widthWith(environmentWidth, 0)) / WIDTHS.fact);
  const facts = fitting < 0 ? wanted : wanted.slice(0, fitting);
  const width = widthWith(environmentWidth, facts.length);
  return (
    <ScrollableTable label={t("shell.flags")}>
      <table
        className={classes.table}
        style={{ minWidth: `${width}rem` }}
        data-comfortable={columns.has("comfortable") || undefined}
      >
        <thead>
          <tr>
            {selection && (
              <th scope="col" className={classes.select} style={{ width: `${WIDTHS.select}rem` }}>
                <PageCheckbox flags={flags} selection={selection} />
              </th>
            )}
            <SortHeader by="name" first="ascending">
              {t("flags.flag")}
            </SortHeader>
            {environments.map(({ id, name }) => (
              <th key={id} scope="col" style={{ width: `${environmentWidth}rem` }}>
                <EnvironmentChip id={id} name={name} />
              </th>
            ))}
            {hasOthers && (
              <th scope="col" style={{ width: `${WIDTHS.others}rem` }}>
                {t("flags.otherEnvironments")}
              </th>
            )}
            {facts.map((fact) => (
              <FactHeader key={fact} fact={fact} width={`${WIDTHS.fact}rem`} />
            ))}
            <th scope="col" style={{ width: `${WIDTHS.menu}rem` }}>
              <VisuallyHidden>{t("common.actions")}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {flags.map((flag) => (
            <FlagRow
              key={flag.id}
              flag={flag}
              columns={columns}
              factCount={facts.length}
              usage={usage?.get(flag.id)}
              isFavourite={favouriteIds?.has(flag.id)}
              onFavourite={onFavourite}
              {...(selection && {
                onToggle: selection.toggle,
                isSelected: selection.chosen.has(flag.id),
              })}
            />
          ))}
        </tbody>
      </table>
    </ScrollableTable>
  );
});

/** The width of the page without its padding and the border of the table, rem. */
const useRoom = (): number => useSyncExternalStore(onResize, measureRoom);

function onResize(listener: () => void): () => void {
  window.addEventListener("resize", listener);
  return () => window.removeEventListener("resize", listener);
}

function measureRoom(): number {
  const main = document.querySelector("#content");
  if (!main) return Infinity;
  const { paddingLeft, paddingRight } = getComputedStyle(main);
  const px = main.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return Math.floor(px - 2) / rem;
}

interface RowProps extends Pick<FlagListProps, "onFavourite"> {
  flag: EnrichedFlag;
  columns: Columns;
  /** How many of the chosen facts the row shows. */
  factCount: number;
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
  factCount,
  usage,
  isFavourite,
  onFavourite,
  isSelected = false,
  onToggle,
}: RowProps) {
  const environments = flag.environments.filter(({ id }) => columns.has(environmentColumn(id)));
  return (
    <tr
      data-kill={flag.flagType === "KILLSWITCH" || undefined}
      data-selected={isSelected || undefined}
    >
      {onToggle && (
        <td className={classes.select}>
          <FlagCheckbox flag={flag} isSelected={isSelected} onToggle={onToggle} />
        </td>
      )}
      <th scope="row" className={classes.name}>
        <FlagName
          flag={flag}
          isFavourite={isFavourite}
          hasTags={columns.has("tags")}
          onFavourite={onFavourite}
        />
      </th>
      {environments.map((environment) => (
        <td key={environment.id}>
          <EnvironmentState flag={flag} environment={environment} />
        </td>
      ))}
      {columns.has("others") && environments.length < flag.environments.length && (
        <td>
          <OtherEnvironments flag={flag} columns={columns} />
        </td>
      )}
      {FACTS.filter((fact) => columns.has(fact))
        .slice(0, factCount)
        .map((fact) => (
          <td key={fact} className={classes.fact}>
            <Fact fact={fact} flag={flag} usage={usage} />
          </td>
        ))}
      <td className={classes.menu}>
        <Suspense>
          <FlagMenu flag={flag} />
        </Suspense>
      </td>
    </tr>
  );
});
