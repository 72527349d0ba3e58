import { Checkbox, Fieldset, Input, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "../../shared/i18n/use-translation.ts";
import { EVENT_GROUPS, EVENTS, type EventName, withEvents } from "./events.ts";
import classes from "./EventChoice.module.css";

interface Props {
  value: readonly string[];
  onChange: (events: string[]) => void;
  error?: ReactNode;
}

/** One checkbox for all events, one for each group, and one for each event. */
export function EventChoice({ value, onChange, error }: Props) {
  const { t } = useTranslation();
  const select = (events: readonly EventName[], isSelected: boolean) =>
    onChange(withEvents(value, events, isSelected));
  /** Renders a checkbox that selects or deselects several webhook events at once. */
  const groupCheckbox = (label: string, events: readonly EventName[]) => {
    const chosen = events.filter((event) => value.includes(event)).length;
    return (
      <Checkbox
        label={label}
        checked={chosen === events.length}
        indeterminate={chosen > 0 && chosen < events.length}
        onChange={({ currentTarget }) => select(events, currentTarget.checked)}
      />
    );
  };
  return (
    <Fieldset legend={t("integrations.events")}>
      <Stack gap="sm">
        {groupCheckbox(t("integrations.allEvents"), EVENTS)}
        <div className={classes.groups}>
          {EVENT_GROUPS.map(({ group, events }) => (
            <Stack key={group} gap="xs">
              {groupCheckbox(t(`integrations.groups.${group}`), events)}
              {events.map((event) => (
                <Checkbox
                  key={event}
                  ml="lg"
                  label={t(`integrations.eventNames.${event}`)}
                  checked={value.includes(event)}
                  onChange={({ currentTarget }) => select([event], currentTarget.checked)}
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
