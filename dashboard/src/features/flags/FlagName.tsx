import { Group } from "@mantine/core";
import type { EnrichedFlag } from "../../shared/api/types.ts";
import {
  FlagLifecycleBadge,
  FlagTypeBadge,
  ValueTypeBadge,
} from "../../shared/flags/FlagBadges.tsx";
import { FavouriteStar } from "../../shared/flags/FavouriteStar.tsx";
import { FlagKey } from "../../shared/flags/FlagKey.tsx";
import { FlagTags } from "../../shared/flags/FlagTags.tsx";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import classes from "./FlagName.module.css";

interface Props {
  flag: EnrichedFlag;
  /** Undefined while the favourites are loading. */
  isFavourite: boolean | undefined;
  onFavourite: (flagId: number, isFavourite: boolean) => void;
}

/** The name of a flag as a link to the page of the flag, with its key, badges and tags. */
export function FlagName({ flag, isFavourite = false, onFavourite }: Props) {
  const { id, projectId, key, name, flagType, valueType, tags } = flag;
  return (
    <div>
      <Group gap="xs">
        <FavouriteStar flag={flag} isFavourite={isFavourite} onChange={onFavourite} />
        <LinkAnchor
          c="inherit"
          fw={600}
          size="sm"
          className={classes.name}
          to="/projects/$projectId/flags/$flagId"
          params={{ projectId, flagId: id }}
        >
          {name}
        </LinkAnchor>
        {flagType === "KILLSWITCH" && <FlagTypeBadge type={flagType} />}
        <ValueTypeBadge type={valueType} />
        <FlagLifecycleBadge flag={flag} />
      </Group>
      <div className={classes.facts}>
        <FlagKey value={key} />
        <FlagTags tags={tags} />
      </div>
    </div>
  );
}
