import { Group, Paper } from "@mantine/core";
import { memo, Suspense } from "react";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { environmentColumn, FACTS } from "./columns.ts";
import { Fact, HEADERS } from "./FactCell.tsx";
import { OtherEnvironments } from "./OtherEnvironments.tsx";
import { FlagCheckbox } from "./bulk/FlagCheckbox.tsx";
import type { FlagListProps } from "./list-props.ts";
import { EnvironmentState } from "./EnvironmentState.tsx";
import classes from "./FlagCards.module.css";
import { FlagMenu } from "./lazy.ts";
import { FlagName } from "./FlagName.tsx";

/** The flags of the flags page as cards, for screens that are too narrow for the table. */
export const FlagCards = memo(function FlagCards({
  flags,
  selection,
  favouriteIds,
  columns,
  usage,
  onFavourite,
}: FlagListProps) {
  const { t } = useTranslation();
  return (
    <ul className={classes.list} aria-label={t("shell.flags")}>
      {flags.map((flag) => (
        <Paper
          key={flag.id}
          component="li"
          withBorder
          radius="md"
          p="sm"
          className={classes.card}
          data-kill={flag.flagType === "KILLSWITCH" || undefined}
          data-selected={selection?.chosen.has(flag.id) || undefined}
        >
          <Group gap="xs" align="flex-start" wrap="nowrap">
            {selection && (
              <FlagCheckbox
                flag={flag}
                isSelected={selection.chosen.has(flag.id)}
                onToggle={selection.toggle}
              />
            )}
            <div className={classes.name}>
              <FlagName
                flag={flag}
                isFavourite={favouriteIds?.has(flag.id)}
                hasTags={columns.has("tags")}
                onFavourite={onFavourite}
              />
            </div>
            <Suspense fallback={<div className={classes.menu} />}>
              <FlagMenu flag={flag} />
            </Suspense>
          </Group>
          <dl className={classes.environments}>
            {flag.environments
              .filter(({ id }) => columns.has(environmentColumn(id)))
              .map((environment) => (
                <div key={environment.id} className={classes.environment}>
                  <dt className={classes.term}>
                    <EnvironmentChip id={environment.id} name={environment.name} />
                  </dt>
                  <dd className={classes.state}>
                    <EnvironmentState flag={flag} environment={environment} />
                  </dd>
                </div>
              ))}
            {columns.has("others") &&
              flag.environments.some(({ id }) => !columns.has(environmentColumn(id))) && (
                <div className={classes.environment}>
                  <dt className={classes.term}>{t("flags.otherEnvironments")}</dt>
                  <dd className={classes.state}>
                    <OtherEnvironments flag={flag} columns={columns} />
                  </dd>
                </div>
              )}
          </dl>
          <dl className={classes.facts}>
            {FACTS.filter(
              (fact) => columns.has(fact) && (fact !== "usage" || usage?.has(flag.id)),
            ).map((fact) => (
              <div key={fact}>
                <dt>{t(HEADERS[fact].text)}</dt>
                <dd>
                  <Fact fact={fact} flag={flag} usage={usage?.get(flag.id)} />
                </dd>
              </div>
            ))}
          </dl>
        </Paper>
      ))}
    </ul>
  );
});
