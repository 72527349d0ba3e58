import { Badge } from "@mantine/core";
import { IconCalendarTime, IconGitPullRequest, IconStairsUp } from "@tabler/icons-react";
import type { EnrichedFlag } from "../../shared/api/types.ts";
import {
  FlagClientsIcon,
  FlagLifecycleBadge,
  FlagTypeBadge,
  ValueTypeBadge,
} from "../../shared/flags/FlagBadges.tsx";
import { FavouriteStar } from "../../shared/flags/FavouriteStar.tsx";
import { FlagKey } from "../../shared/flags/FlagKey.tsx";
import { FittingTags } from "../../shared/flags/FlagTags.tsx";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { LinkAnchor } from "../../shared/ui/links.tsx";
import badges from "../../shared/flags/FlagBadges.module.css";
import classes from "./FlagName.module.css";

interface Props {
  flag: EnrichedFlag;
  /** Undefined while the favourites are loading. */
  isFavourite: boolean | undefined;
  hasTags: boolean;
  onFavourite: (flagId: number, isFavourite: boolean) => void;
}

/** The name of a flag as a link to the page of the flag, with its key, badges and tags. */
export function FlagName({ flag, isFavourite = false, hasTags, onFavourite }: Props) {
  const { id, projectId, key, name, flagType, valueType, clients, tags } = flag;
  return (
    <div className={classes.flag}>
      <FavouriteStar flag={flag} isFavourite={isFavourite} onChange={onFavourite} />
      <div className={classes.words}>
        <LinkAnchor
          c="inherit"
          fw={600}
          size="sm"
          className={classes.name}
          title={name}
          to="/projects/$projectId/flags/$flagId"
          params={{ projectId, flagId: id }}
        >
          {name}
        </LinkAnchor>
        <div className={classes.facts} data-tagged={(hasTags && tags.length > 0) || undefined}>
          <FlagKey value={key} />
          {flag.pending && <PendingMarks pending={flag.pending} />}
          {flagType === "KILLSWITCH" && <FlagTypeBadge type={flagType} />}
          <ValueTypeBadge type={valueType} />
          <FlagClientsIcon clients={clients} />
          <FlagLifecycleBadge flag={flag} />
          {hasTags && <FittingTags tags={tags} />}
        </div>
      </div>
    </div>
  );
}

const MARKS = [
  ["changeRequests", IconGitPullRequest],
  ["scheduled", IconCalendarTime],
  ["ramps", IconStairsUp],
] as const;

/** What waits for a flag: open change requests, scheduled changes and ramps. */
function PendingMarks({ pending }: { pending: NonNullable<EnrichedFlag["pending"]> }) {
  const { t } = useTranslation();
  return MARKS.filter(([kind]) => pending[kind] > 0).map(([kind, Icon]) => {
    const text = t(`flags.pending.${kind}`, { count: pending[kind] });
    return (
      <Badge
        key={kind}
        className={badges.waiting}
        leftSection={<Icon size={13} stroke={2} aria-hidden />}
        role="img"
        aria-label={text}
        title={text}
      >
        {pending[kind]}
      </Badge>
    );
  });
}
