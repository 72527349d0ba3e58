import { Menu } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import {
  IconArchive,
  IconArchiveOff,
  IconCode,
  IconCopy,
  IconCopyPlus,
  IconFlask,
  IconTrash,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import type { Flag } from "../../shared/api/types.ts";
import { useIsProduction } from "../../shared/data/environments.ts";
import { strategiesQuery } from "../../shared/data/flag.ts";
import { segmentsQuery } from "../../shared/data/project-lists.ts";
import { CloneFlagModal } from "../../shared/flags/CloneFlagModal.tsx";
import { DeleteFlagModal } from "../../shared/flags/DeleteFlagModal.tsx";
import type { DraftState } from "../../shared/flags/use-drafts.ts";
import { useFlagLifecycle } from "../../shared/flags/use-flag-lifecycle.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useCan } from "../../shared/session/current-session.tsx";
import { ActionMenu, type MenuAction } from "../../shared/ui/ActionMenu.tsx";
import { CopyDialog } from "./CopyStrategy.tsx";
import { strategyToCompare } from "./strategy.ts";
import { UseInCode } from "./UseInCode.tsx";
import { useIsComparing, useOpenEnvironment } from "./use-open-environment.ts";

interface Props {
  flag: Flag;
  draft: DraftState;
}

/** The actions that are rarely used, in a menu: for the whole flag, and the copy of the open strategy. */
export function FlagActions({ flag, draft }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const canWrite = useCan("flag:write");
  const { archive, confirmUnarchive } = useFlagLifecycle();
  const [isShowingCode, code] = useDisclosure(false);
  const [isCopying, copying] = useDisclosure(false);
  const [isCloning, clone] = useDisclosure(false);
  const [isDeleting, deletion] = useDisclosure(false);
  const { projectId } = flag;
  const copy = useCopy(flag);
  const rest: readonly MenuAction[] = flag.archived
    ? [
        {
          label: t("flagForms.unarchive"),
          Icon: IconArchiveOff,
          onClick: () => void confirmUnarchive(flag),
        },
        { label: t("flagForms.deleteFlag"), Icon: IconTrash, onClick: deletion.open },
      ]
    : [{ label: t("flagForms.archive"), Icon: IconArchive, onClick: () => void archive(flag) }];
  const actions: readonly MenuAction[] = [
    ...(flag.archived
      ? []
      : [{ label: t("flagPage.useInCode"), Icon: IconCode, onClick: code.open }]),
    // A copy would take the saved strategy, not the unsaved changes.
    ...(copy && draft === "unchanged"
      ? [{ label: t("flag.copy.open"), Icon: IconCopy, onClick: copying.open }]
      : []),
    ...(canWrite
      ? [{ label: t("clone.open"), Icon: IconCopyPlus, onClick: clone.open }, ...rest]
      : []),
  ];
  return (
    <>
      <ActionMenu label={t("flagForms.actionsOf", { flag: flag.name })} actions={actions}>
        <PlaygroundItem flag={flag} />
      </ActionMenu>
      <UseInCode flag={flag} opened={isShowingCode} onClose={code.close} />
      {copy && <CopyDialog {...copy} opened={isCopying} onClose={copying.close} />}
      <CloneFlagModal key={flag.id} flag={flag} opened={isCloning} onClose={clone.close} />
      <DeleteFlagModal
        flag={flag}
        opened={isDeleting}
        onClose={deletion.close}
        onDeleted={() => void navigate({ to: "/projects/$projectId/flags", params: { projectId } })}
      />
    </>
  );
}

/** The link to the playground, which evaluates the flag in the open environment. */
function PlaygroundItem({ flag }: { flag: Flag }) {
  const { t } = useTranslation();
  const open = useOpenEnvironment(flag);
  return (
    <Menu.Item
      leftSection={<IconFlask size={16} stroke={1.75} aria-hidden />}
      renderRoot={(props) => (
        <Link
          to="/projects/$projectId/playground"
          params={{ projectId: flag.projectId }}
          search={{
            ...(open && { environment: open.environment.id }),
            search: flag.key,
            flag: flag.key,
          }}
          {...props}
        />
      )}
    >
      {t("flagPage.playground")}
    </Menu.Item>
  );
}

const route = getRouteApi("/projects/$projectId/flags/$flagId");

/** What the dialog needs that copies the open strategy. Undefined if the user cannot copy it. */
function useCopy(flag: Flag) {
  const navigate = route.useNavigate();
  const canWrite = useCan("strategy:write") && !flag.archived;
  const isProduction = useIsProduction(flag.projectId);
  const open = useOpenEnvironment(flag);
  const isComparing = useIsComparing(flag);
  const { data: strategies = [] } = useQuery(strategiesQuery(flag.id));
  const { data: segments = [] } = useQuery(segmentsQuery(flag.projectId));
  const to = open && strategyToCompare(strategies, open.strategy, { isProduction });
  // A comparison has a button for the copy.
  if (!canWrite || !to || isComparing) return undefined;
  return {
    projectId: flag.projectId,
    strategies,
    segments: new Map(segments.map((segment) => [segment.id, segment])),
    from: open.strategy,
    to,
    onCopied: (id: number) => void navigate({ search: { environment: id }, resetScroll: false }),
  };
}
