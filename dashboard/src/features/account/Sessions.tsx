import { Badge, Button, Group, Stack, Text } from "@mantine/core";
import { IconDeviceDesktop, IconDeviceMobile } from "@tabler/icons-react";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { read, send } from "../../shared/api/request.ts";
import type { Schemas } from "../../shared/api/types.ts";
import { useFormat } from "../../shared/i18n/use-format.ts";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { useConfirm } from "../../shared/ui/use-confirm.tsx";
import { useNotify } from "../../shared/ui/use-notify.tsx";
import { QueryView } from "../../shared/ui/QueryView.tsx";
import { TimeAgo } from "../../shared/ui/TimeAgo.tsx";
import { parseUserAgent } from "./parse-user-agent.ts";
import classes from "../../shared/ui/row-list.module.css";

type Session = Schemas["SessionInfo"];

/** The number of sessions that the list shows until the user clicks the button that shows all. */
const MAX_SHOWN = 8;

export function Sessions() {
  const { t } = useTranslation();
  const confirm = useConfirm();
  const { done, failed } = useNotify();
  const sessions = useQuery(sessionsQuery);
  const [isAll, setAll] = useState(false);
  const end = useMutation({ mutationFn: endSessions, onError: failed });

  const ask = async (title: string, ended: readonly Session[], submit: string) => {
    const isConfirmed = await confirm({ title, children: t("account.endText"), confirm: submit });
    if (!isConfirmed) return;
    const count = ended.length;
    end.mutate(
      ended.map(({ id }) => id),
      { onSuccess: () => done(t("account.ended", { count })) },
    );
  };

  return (
    <QueryView query={sessions}>
      {(all) => {
        const others = all.filter(({ current }) => !current);
        return (
          <Stack gap="sm">
            <ul className={classes.list}>
              {(isAll ? all : all.slice(0, MAX_SHOWN)).map((session) => (
                <Row
                  key={session.id}
                  session={session}
                  onEnd={(device) =>
                    void ask(t("account.endTitle", { device }), [session], t("account.end"))
                  }
                />
              ))}
            </ul>
            <Group justify="space-between">
              {others.length > 0 && (
                <Button
                  variant="default"
                  loading={end.isPending}
                  onClick={() =>
                    void ask(t("account.endOthersTitle"), others, t("account.endOthers"))
                  }
                >
                  {t("account.endOthers")}
                </Button>
              )}
              {!isAll && all.length > MAX_SHOWN && (
                <Button variant="subtle" onClick={() => setAll(true)}>
                  {t("account.showAll", { count: all.length })}
                </Button>
              )}
            </Group>
          </Stack>
        );
      }}
    </QueryView>
  );
}

function Row({ session, onEnd }: { session: Session; onEnd: (device: string) => void }) {
  const { t } = useTranslation();
  const { dateTime } = useFormat();
  const {
    program = t("account.unknownProgram"),
    system,
    isMobile,
  } = parseUserAgent(session.userAgent);
  const device = system === undefined ? program : t("account.device", { program, system });
  const Icon = isMobile ? IconDeviceMobile : IconDeviceDesktop;
  return (
    <li className={classes.row}>
      <Icon size={20} stroke={1.75} aria-hidden />
      <div className={classes.words}>
        <Group gap="xs">
          <Text
            size="sm"
            fw={500}
            {...(session.userAgent !== null && { title: session.userAgent })}
          >
            {device}
          </Text>
          {session.current && (
            <Badge color="green" variant="dot">
              {t("account.thisDevice")}
            </Badge>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {session.ip !== null && <>{session.ip} · </>}
          {t("account.since", { date: dateTime(session.createdAt) })} · {t("account.lastActive")}{" "}
          <TimeAgo at={session.refreshedAt} />
        </Text>
      </div>
      {!session.current && (
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t("account.endOf", { device })}
          onClick={() => onEnd(device)}
        >
          {t("account.end")}
        </Button>
      )}
    </li>
  );
}

/** The user's active sessions: the current one, then the newest. The API considers only 50. */
export const sessionsQuery = read("/api/v1/auth/sessions", undefined, {
  select: (sessions) => sessions.toSorted((a, b) => Number(b.current) - Number(a.current)),
});

async function endSessions(ids: readonly string[]): Promise<void> {
  for (const sessionId of ids)
    await send("delete", "/api/v1/auth/sessions/{sessionId}", { path: { sessionId } });
}
