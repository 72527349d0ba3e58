import { Group, Paper, Text } from "@mantine/core";
import { memo } from "react";
import { useTranslation } from "react-i18next";
import { EnvironmentChip } from "../../shared/environments/EnvironmentChip.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { FlagCheckbox } from "./bulk/FlagCheckbox.tsx";
import type { FlagListProps } from "./list-props.ts";
import { EnvironmentState } from "./EnvironmentState.tsx";
import classes from "./FlagCards.module.css";
import { FlagMenu } from "./deferred.tsx";
import { FlagName } from "./FlagName.tsx";

/** The flags of the flags page as cards, for screens that are too narrow for the table. */
export const FlagCards = memo(function FlagCards({
  flags,
  selection,
  favouriteIds,
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
                onFavourite={onFavourite}
              />
            </div>
            <FlagMenu flag={flag} />
          </Group>
          <dl className={classes.environments}>
            {flag.environments.map((environment) => (
              <div key={environment.id} className={classes.environment}>
                <dt className={classes.term}>
                  <EnvironmentChip id={environment.id} name={environment.name} />
                </dt>
                <dd className={classes.state}>
                  <EnvironmentState flag={flag} environment={environment} />
                </dd>
              </div>
            ))}
          </dl>
          <Text size="xs" c="dimmed" mt="xs">
            {t("flags.lastUsed")}: <TimeAgo at={flag.lastUsedAt} /> · {t("flags.created")}:{" "}
            <TimeAgo at={flag.createdAt} />
          </Text>
        </Paper>
      ))}
    </ul>
  );
});
