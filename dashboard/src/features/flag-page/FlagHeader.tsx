import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Flag, FlagWithRelated } from "../../shared/api/types.ts";
import {
  FlagClientsBadge,
  FlagLifecycleBadge,
  FlagTypeBadge,
  ValueTypeBadge,
} from "../../shared/flags/FlagBadges.tsx";
import { FavouriteStar } from "../../shared/flags/FavouriteStar.tsx";
import { useFavourites } from "../../shared/flags/use-favourites.ts";
import { FlagKey } from "../../shared/flags/FlagKey.tsx";
import { FlagTags } from "../../shared/flags/FlagTags.tsx";
import type { DraftState } from "../../shared/flags/use-drafts.ts";
import { lastFlagsSearch } from "../../shared/flags/last-flags-search.ts";
import { auditQuery } from "../../shared/history/audit-query.ts";
import { actorText } from "../../shared/history/use-record-text.ts";
import { Trans } from "../../shared/i18n/Trans.tsx";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { BackLink } from "../../shared/ui/links.tsx";
import { PageHeader } from "../../shared/ui/PageHeader.tsx";
import { EditFlag } from "./EditFlag.tsx";
import classes from "./FlagHeader.module.css";
import { FlagActions } from "./FlagActions.tsx";
import { FlagControl, useIsSwitchInHeader } from "./FlagControl.tsx";
import { useManagedFields } from "./use-managed-fields.ts";
import { ManagedMark } from "./Managed.tsx";
import { useIsComparing, useOpenEnvironment } from "./use-open-environment.ts";

interface Props {
  flag: FlagWithRelated;
  draft: DraftState;
  /** Whether the heading has scrolled away. */
  isStuck: boolean;
}

/** The head of the flag page: the name, the switch in the open environment, and what is about the flag in all. */
export function FlagHeader({ flag, draft, isStuck }: Props) {
  const { t } = useTranslation();
  const { projectId } = flag;
  const open = useOpenEnvironment(flag);
  const isComparing = useIsComparing(flag);
  const isInHeader = useIsSwitchInHeader(flag);
  const canWrite = useCan("flag:write");
  const managed = useManagedFields(flag.id, null).get("name");
  return (
    <>
      <BackLink
        to="/projects/$projectId/flags"
        params={{ projectId }}
        search={lastFlagsSearch(projectId)}
      >
        {t("flag.back")}
      </BackLink>
      <PageHeader
        title={flag.name}
        description={
          <Stack gap={6}>
            <Group gap="xs">
              <Favourite flag={flag} />
              <FlagTypeBadge type={flag.flagType} />
              <ValueTypeBadge type={flag.valueType} />
              <FlagClientsBadge clients={flag.clients} />
              <FlagLifecycleBadge flag={flag} />
              <FlagKey value={flag.key} />
              <ManagedMark managed={managed} />
            </Group>
            {flag.description !== null && flag.description !== "" && (
              <Text size="sm" className={classes.description}>
                {flag.description}
              </Text>
            )}
            <FlagOwners flag={flag} />
            <FlagTags tags={flag.related?.tags ?? []} />
            <LastChange flag={flag} />
          </Stack>
        }
        actions={
          <>
            {open && !isComparing && isInHeader && (
              // The bar has the switch then, and there must not be two.
              <Group gap="xs" wrap="nowrap" style={isStuck ? { visibility: "hidden" } : undefined}>
                <FlagControl flag={flag} open={open} />
              </Group>
            )}
            {canWrite && !flag.archived && <EditFlag flag={flag} />}
            <FlagActions flag={flag} draft={draft} />
          </>
        }
      />
    </>
  );
}

function Favourite({ flag }: { flag: Flag }) {
  const { ids, set } = useFavourites(flag.projectId);
  return <FavouriteStar flag={flag} isFavourite={ids?.has(flag.id) ?? false} onChange={set} />;
}

function FlagOwners({ flag: { related } }: { flag: FlagWithRelated }) {
  const { t } = useTranslation();
  const { list } = useFormat();
  const names = related?.owners.map(({ name }) => name) ?? [];
  if (names.length === 0) return null;
  return (
    <Text size="sm" c="dimmed">
      {t("owners.of", { count: names.length, names: list(names) })}
    </Text>
  );
}

/** Who changed the flag or one of its strategies last, and when. */
function LastChange({ flag: { id, projectId } }: { flag: Flag }) {
  const { t } = useTranslation();
  const { data, isPending } = useQuery(
    auditQuery(["flag", id, "last"], () => ({
      projectId,
      entityType: "flag",
      entityId: id,
      size: 1,
    })),
  );
  const last = data?.items[0];
  // An empty line, so that nothing moves down when the data arrives.
  if (isPending) return <Text size="xs">&nbsp;</Text>;
  if (!last) return null;
  return (
    <Text size="xs" c="dimmed">
      <Trans
        i18nKey="flagPage.lastChanged"
        values={{ who: actorText(t, last) }}
        components={{ time: <TimeAgo at={last.at} /> }}
      />
    </Text>
  );
}
