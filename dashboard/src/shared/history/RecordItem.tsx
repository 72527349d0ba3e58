import { Avatar, Button, Text, VisuallyHidden } from "@mantine/core";
import { IconChevronDown, IconKey, IconServer2 } from "@tabler/icons-react";
import { type ReactNode, useId, useState } from "react";
import type { AuditRecord } from "../api/types.ts";
import { SmallEnvironmentChip } from "../environments/EnvironmentChip.tsx";
import { useFormat } from "../i18n/use-format.ts";
import { useTranslation } from "../i18n/use-translation.ts";
import { TraceId } from "../ui/ErrorAlert.tsx";
import { TimeAgo } from "../ui/TimeAgo.tsx";
import { UserAvatar } from "../ui/UserAvatar.tsx";
import { Diff } from "./FieldChanges.tsx";
import classes from "./RecordItem.module.css";
import { RevertRecord } from "./RevertRecord.tsx";
import type { ItemNames } from "./item-names.ts";
import { actorText, useRecordText } from "./use-record-text.ts";

interface Props {
  record: AuditRecord;
  names: ItemNames;
  /** The changed item or a link to it. Set if the records are about several items. */
  item?: ReactNode;
  /**
   * Whether the record is the first of consecutive records of one actor, or a further one. The name
   * of the actor is then in a column of its own. Undefined: it is in the line of the time.
   */
  grouped?: "first" | "further";
  /** The name of the project. Set on pages whose audit records are about several projects. */
  projectName?: string | undefined;
}

/** Who made which change, where and when. The details have the values before and after it. */
export function RecordItem({ record, names, item, projectName, grouped }: Props) {
  const { t } = useTranslation();
  const recordText = useRecordText(names);
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const { reason, revertsId } = record;
  const change = recordText.change(record);
  return (
    <li className={classes.item} data-grouped={grouped}>
      <div className={classes.row}>
        {grouped && <Actor record={record} isHidden={grouped === "further"} />}
        <div className={classes.words}>
          <div className={classes.what}>
            {item}
            <Text size="sm" component="span" fw={item === undefined ? 500 : 400}>
              {change}
            </Text>
            <RecordedEnvironment record={record} names={names} />
          </div>
          <div className={classes.who}>
            {!grouped && <span>{recordText.actor(record)}</span>}
            <span>
              <TimeAgo at={record.at} />
            </span>
            {projectName !== undefined && <span>{projectName}</span>}
            {revertsId !== null && <span>{t("revert.isRevert")}</span>}
            {reason !== null && <span>{t("history.reason", { reason })}</span>}
          </div>
        </div>
        <div className={classes.actions}>
          <RevertRecord record={record} names={names} />
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-label={t("history.detailsOf", { what: change })}
            rightSection={
              <IconChevronDown
                size={16}
                stroke={1.75}
                aria-hidden
                className={classes.chevron}
                data-opened={isOpen || undefined}
              />
            }
            onClick={() => setOpen(!isOpen)}
          >
            {t("history.details")}
          </Button>
        </div>
      </div>
      <div id={id} hidden={!isOpen}>
        {isOpen && <RecordDetails record={record} names={names} />}
      </div>
    </li>
  );
}

/** Who made the change: an avatar and the name, which screen readers also find in further rows. */
function Actor({ record, isHidden }: { record: AuditRecord; isHidden: boolean }) {
  const { t } = useTranslation();
  const { kind, name } = record.actor;
  const text = actorText(t, record);
  if (isHidden)
    return (
      <div className={classes.actor}>
        <VisuallyHidden>{text}</VisuallyHidden>
      </div>
    );
  const Icon = kind === "key" ? IconKey : IconServer2;
  return (
    <div className={classes.actor} title={kind === "user" ? (name ?? undefined) : undefined}>
      {kind === "user" ? (
        <UserAvatar name={text} />
      ) : (
        <Avatar size="sm" aria-hidden>
          <Icon size={14} stroke={1.75} />
        </Avatar>
      )}
      <Text size="sm" fw={500} span truncate>
        {text}
      </Text>
    </div>
  );
}

/** The environment that the change is about. Nothing if its name is unknown. */
function RecordedEnvironment({ record, names }: { record: AuditRecord; names: ItemNames }) {
  const { environmentId: id, entityType } = record;
  if (id === null || entityType === "environment") return null;
  const name = names.of("environment", id);
  return name === undefined ? null : (
    <SmallEnvironmentChip id={id} name={name} production={names.isProduction(id)} />
  );
}

function RecordDetails({ record, names }: { record: AuditRecord; names: ItemNames }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  return (
    <div className={classes.details}>
      <Diff record={record} names={names} />
      <div className={classes.facts}>
        <span>
          {t("history.at")} {dateTime(record.at)}
        </span>
        <span>
          {t("history.action")}{" "}
          <Text span ff="monospace" size="xs">
            {record.action}
          </Text>
        </span>
        {record.revertsId !== null && (
          <span>
            {t("revert.reverts")} {record.revertsId}
          </span>
        )}
        {record.ip !== null && (
          <span>
            {t("history.address")} {record.ip}
          </span>
        )}
        <TraceId id={record.traceId} />
      </div>
    </div>
  );
}

export function RecordList({ children }: { children: ReactNode }) {
  return <ol className={classes.list}>{children}</ol>;
}
