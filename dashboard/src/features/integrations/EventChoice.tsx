import { Checkbox, Fieldset, Input, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { EVENT_GROUPS, EVENTS, type EventName } from "./events.ts";
import classes from "./EventChoice.module.css";

interface Props {
  value: readonly EventName[];
  onChange: (events: EventName[]) => void;
  error?: ReactNode;
}

/** Which events are sent: all, all of a kind, or one by one. */
export function EventChoice({ value, onChange, error }: Props) {
  const { t } = useTranslation();
  const choose = (events: readonly EventName[], isWanted: boolean) =>
    onChange(EVENTS.filter((event) => (events.includes(event) ? isWanted : value.includes(event))));
  /** One box for several events. */
  const box = (label: string, events: readonly EventName[]) => {
    const chosen = events.filter((event) => value.includes(event)).length;
    return (
      <Checkbox
        label={label}
        checked={chosen === events.length}
        indeterminate={chosen > 0 && chosen < events.length}
        onChange={({ currentTarget }) => choose(events, currentTarget.checked)}
      />
    );
  };
  return (
    <Fieldset legend={t("integrations.events")}>
      <Stack gap="sm">
        {box(t("integrations.allEvents"), EVENTS)}
        <div className={classes.groups}>
          {EVENT_GROUPS.map(({ about, events }) => (
            <Stack key={about} gap="xs">
              {box(t(`integrations.groups.${about}`), events)}
              {events.map((event) => (
                <Checkbox
                  key={event}
                  ml="lg"
                  label={t(`integrations.eventNames.${event}`)}
                  checked={value.includes(event)}
                  onChange={({ currentTarget }) => choose([event], currentTarget.checked)}
                />
              ))}
            </Stack>
          ))}
        </div>
        {error !== undefined && error !== null && <Input.Error role="alert">{error}</Input.Error>}
      </Stack>
    </Fieldset>
  );
}
