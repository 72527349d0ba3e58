import { Anchor, Group } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { EnrichedFlag } from "../../shared/api/types.ts";
import { FlagLifeBadge, FlagTypeBadge } from "../../shared/flags/FlagBadges.tsx";
import { FlagKey } from "../../shared/flags/FlagKey.tsx";
import { FlagTags } from "../../shared/flags/FlagTags.tsx";
import classes from "./FlagName.module.css";

/** What a flag is: its name leads to it. */
export function FlagName({ flag }: { flag: EnrichedFlag }) {
  const { id, projectId, key, name, flagType, tags } = flag;
  return (
    <div>
      <Group gap="xs">
        <Anchor
          c="inherit"
          fw={600}
          size="sm"
          className={classes.name}
          renderRoot={(props) => (
            <Link
              to="/projects/$projectId/flags/$flagId"
              params={{ projectId, flagId: id }}
              {...props}
            />
          )}
        >
          {name}
        </Anchor>
        {flagType === "KILLSWITCH" && <FlagTypeBadge type={flagType} />}
        <FlagLifeBadge flag={flag} />
      </Group>
      <div className={classes.facts}>
        <FlagKey value={key} />
        <FlagTags tags={tags} />
      </div>
    </div>
  );
}
