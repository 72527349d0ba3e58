import { Button, Menu, Text } from "@mantine/core";
import {
  IconArchive,
  IconArchiveOff,
  IconDots,
  IconPlayerPause,
  IconPlayerPlay,
  IconTag,
  IconTagOff,
  IconX,
} from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { read } from "../../../shared/api/request.ts";
import type { paths } from "../../../shared/api/schema.d.ts";
import { environmentsQuery } from "../../../shared/data/environments.ts";
import { useProjectId } from "../../../shared/data/use-project-id.ts";
import { MAX_BULK_FLAGS } from "../../../shared/flags/max-bulk-flags.ts";
import { useTranslation } from "../../../shared/i18n/use-translation.ts";
import { IconButton } from "../../../shared/ui/IconButton.tsx";
import { useDialog } from "../../../shared/ui/use-dialog.ts";
import { useNotify } from "../../../shared/ui/use-notify.tsx";
import { BulkDialog, type Planned } from "./BulkDialog.tsx";
import type { PlannedAction } from "./bulk-actions.ts";
import classes from "./SelectionBar.module.css";
import type { Selection } from "./selection.ts";

const ICON = { size: 16, stroke: 1.75, "aria-hidden": true } as const;

interface Props {
  selection: Selection;
  /** The query of the list, and the number of flags that match it. */
  query: FlagsQuery;
  totalItems: number;
}

/** The number of selected flags, and the actions for them. Below the list while any is selected. */
export function SelectionBar({ selection, query, totalItems }: Props) {
  const { t } = useTranslation();
  const projectId = useProjectId();
  const { data: environments = [] } = useQuery(environmentsQuery(projectId));
  const { subject, isOpen, open, close } = useDialog<Planned>();
  const clear = () => selection.replace([]);
  const flags = [...selection.chosen.values()];
  const start = (action: PlannedAction) => () => open({ action, flags });
  const archived = flags.filter((flag) => flag.archived).length;
  const { isLoading, selectAll } = useSelectAll(query, selection.replace);

  return (
    <div
      role="toolbar"
      aria-label={t("bulk.toolbar")}
      aria-busy={isLoading}
      className={classes.bar}
    >
      <IconButton label={t("bulk.clear")} size={36} onClick={clear}>
        <IconX {...ICON} />
      </IconButton>
      <Text size="sm" fw={600} role="status">
        {t("bulk.selected", { count: flags.length })}
      </Text>
      {flags.length < Math.min(totalItems, MAX_BULK_FLAGS) && (
        <Button variant="subtle" loading={isLoading} onClick={() => void selectAll()}>
          {totalItems > MAX_BULK_FLAGS
            ? t("bulk.selectFirst", { count: MAX_BULK_FLAGS })
            : t("bulk.selectAll", { count: totalItems })}
        </Button>
      )}
      <div className={classes.actions}>
        {archived < flags.length && (
          <Button
            variant="default"
            disabled={isLoading}
            leftSection={<IconArchive {...ICON} />}
            onClick={start({ kind: "archive" })}
          >
            {t("flagForms.archive")}
          </Button>
        )}
        {archived > 0 && (
          <Button
            variant="default"
            disabled={isLoading}
            leftSection={<IconArchiveOff {...ICON} />}
            onClick={start({ kind: "unarchive" })}
          >
            {t("flagForms.unarchive")}
          </Button>
        )}
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" disabled={isLoading} leftSection={<IconDots {...ICON} />}>
              {t("bulk.more")}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconTag {...ICON} />} onClick={start({ kind: "tag" })}>
              {t("bulk.addTag")}
            </Menu.Item>
            <Menu.Item leftSection={<IconTagOff {...ICON} />} onClick={start({ kind: "untag" })}>
              {t("bulk.removeTag")}
            </Menu.Item>
            {(["turnOn", "turnOff"] as const).map((kind) => (
              <div key={kind} role="none">
                <Menu.Divider />
                {environments.map((environment) => (
                  <Menu.Item
                    key={environment.id}
                    leftSection={
                      kind === "turnOn" ? (
                        <IconPlayerPlay {...ICON} />
                      ) : (
                        <IconPlayerPause {...ICON} />
                      )
                    }
                    onClick={start({ kind, environment })}
                  >
                    {t(`bulk.confirm.${kind}`, { environment: environment.name })}
                  </Menu.Item>
                ))}
              </div>
            ))}
          </Menu.Dropdown>
        </Menu>
      </div>
      {subject && <BulkDialog planned={subject} opened={isOpen} onClose={close} onDone={clear} />}
    </div>
  );
}

/**
 * Loads every flag that matches the filters, or the first `MAX_BULK_FLAGS` of them, to select them.
 * While they load, the bar starts no action, because it would change only the flags selected before.
 */
function useSelectAll(query: FlagsQuery, onLoaded: (flags: Planned["flags"]) => void) {
  const client = useQueryClient();
  const notify = useNotify();
  const [isLoading, setLoading] = useState(false);
  const selectAll = async () => {
    setLoading(true);
    try {
      const first = read("/api/v1/flags", { query: { ...query, page: 0, size: MAX_BULK_FLAGS } });
      onLoaded((await client.fetchQuery({ ...first, staleTime: 0 })).items);
    } catch (error) {
      notify.failed(error);
    }
    setLoading(false);
  };
  return { isLoading, selectAll };
}

type FlagsQuery = NonNullable<paths["/api/v1/flags"]["get"]["parameters"]["query"]>;
