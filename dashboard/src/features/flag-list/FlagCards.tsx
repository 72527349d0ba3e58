import { Group, Paper } from "@mantine/core";
import { memo, Suspense } from "react";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { environmentColumn } from "./columns.ts";
import { OtherEnvironments } from "./OtherEnvironments.tsx";
import { FlagCheckbox } from "./bulk/FlagCheckbox.tsx";
import type { FlagListProps } from "./list-props.ts";
import { EnvironmentState } from "./EnvironmentState.tsx";
import classes from "./FlagCards.module.css";
import { FlagMenu } from "./lazy.ts";
import { FlagName } from "./FlagName.tsx";
import { usageEnvironment } from "./usage-environment.ts";

/**
 * The flags of the flags page as cards, for screens that are too narrow for the table. A card has the state
 * in production, so that three cards fit on the screen of a phone.
 */
export const FlagCards = memo(function FlagCards({
  flags,
  selection,
  favouriteIds,
  columns,
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
            {[usageEnvironment(flag)].map(
              (environment) =>
                environment && (
                  <div key={environment.id} className={classes.environment}>
                    <dt className={classes.term}>
                      <EnvironmentChip id={environment.id} name={environment.name} />
                    </dt>
                    <dd className={classes.state}>
                      <EnvironmentState flag={flag} environment={environment} />
                    </dd>
                    {flag.environments.length > 1 && (
                      <dd className={classes.others}>
                        {t("flags.otherEnvironments")}:{" "}
                        <OtherEnvironments
                          flag={flag}
                          columns={new Set([environmentColumn(environment.id)])}
                        />
                      </dd>
                    )}
                  </div>
                ),
            )}
          </dl>
        </Paper>
      ))}
    </ul>
  );
});
